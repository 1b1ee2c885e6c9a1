#!/usr/bin/env python3
"""Opens pages in headless Chromium as readers do. Usage: browser_test.py HOLDFAST REPORTS_TEST [CLASS OF TESTS]

Needs Debian's chromium, chromium-driver and python3-selenium; exits with 77 where they are missing.
"""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("skipped: python3-selenium is not installed")
    sys.exit(77)

BROWSER = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
if not BROWSER or not DRIVER:
    print("skipped: chromium or chromium-driver is not installed")
    sys.exit(77)

HOLDFAST, REPORTS_TEST = map(os.path.abspath, sys.argv[1:3])
PAGES = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-pages-"))
TRACE = "token+pause+mutual-exclusion.html"
DIFF = "diff/set-nx-px-and-token.html"


def make_pages():
    """The pages of a small comparison, a lesson, and samples: hostile names, long runs."""
    run = lambda *words: subprocess.run(words, cwd=PAGES, check=True, stdout=subprocess.PIPE, text=True).stdout
    run(HOLDFAST, "compare", "--only", "token,set-nx-px", "--faults", "none,pause,lost-reply,clock-skew", "-o", ".")
    run(HOLDFAST, "diff", "set-nx-px", "token", "--fault", "pause", "-o", "diff")
    (PAGES / "lesson.html").write_text(run(HOLDFAST, "lesson", "6", "--format", "html", "--language", "zh"))
    for name, language in (("slides.html", "en"), ("slides.zh.html", "zh")):
        (PAGES / name).write_text(run(HOLDFAST, "lesson", "6", "--format", "slides", "--language", language))
    run(HOLDFAST, "lesson", "--pages", "course")
    make_samples()


def make_samples():
    subprocess.run([REPORTS_TEST, "--gtest_filter=Samples.ForBrowsers"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "HOLDFAST_PAGES": str(PAGES)})


def open_browser():
    options = Options()
    options.binary_location = BROWSER
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1500,1000",
                 "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


class Opened(unittest.TestCase):
    make = staticmethod(make_pages)

    @classmethod
    def setUpClass(cls):
        PAGES.mkdir(exist_ok=True)
        cls.make()
        cls.browser = open_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        shutil.rmtree(PAGES)

    def command(self, name, **arguments):
        return self.browser.execute_cdp_cmd(name, arguments)

    def setUp(self):
        self.command("Emulation.setScriptExecutionDisabled", value=False)
        self.command("Emulation.setEmulatedMedia", media="", features=[])
        self.size(1500, 1000)

    def size(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def load(self, name):
        self.browser.get("about:blank")
        self.browser.get((PAGES / name.split("#")[0]).as_uri() + (("#" + name.split("#")[1]) if "#" in name else ""))

    def js(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def press(self, *keys):
        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()

    def position(self):
        return self.js("return document.querySelector('#scrubber').getAttribute('aria-valuetext')")


class PagesWork(Opened):
    def all_pages(self):
        return ["index.html", "course/index.html", "course/plan.html", "course/lesson-6.html", TRACE, "set-nx-px+pause+owner-only-release.html", "lesson.html", DIFF, "game.html",
                "chinese.html", "hostile.html", "long.html"]

    def test_no_page_complains_or_asks_the_network(self):
        for page in self.all_pages():
            self.browser.get_log("browser"), self.browser.get_log("performance")
            self.load(page)
            self.assertEqual(self.browser.get_log("browser"), [], page)
            for entry in self.browser.get_log("performance"):
                message = json.loads(entry["message"])["message"]
                if message["method"] == "Network.requestWillBeSent":  # the page itself, and nothing else
                    self.assertIn(message["params"]["request"]["url"], ("about:blank", (PAGES / page).as_uri()), page)

    def test_the_policy_of_every_page_forbids_what_is_not_its_own(self):
        for page in self.all_pages():
            self.load(page)
            policy = self.js("return document.querySelector('meta[http-equiv=\"Content-Security-Policy\"]').content")
            self.assertRegex(policy, r"^default-src 'none'; style-src( 'sha256-[^']{44}'){2}; script-src 'sha256-[^']{44}'; img-src data:; base-uri 'none'; form-action 'none'$")
            self.js("const it = document.createElement('script'); it.textContent = 'window.broken = 1'; document.body.append(it); document.body.insertAdjacentHTML('beforeend', '<p onclick=\"window.broken = 1\" id=trap>x</p>'); document.querySelector('#trap').click()")
            self.assertIsNone(self.js("return window.broken || null"), page)
            self.browser.get_log("browser")

    def test_the_keyboard_walks_through_all_steps(self):
        self.load(TRACE)
        steps = self.js("return JSON.parse(document.querySelector('#run').textContent).steps")
        self.assertTrue(self.position().startswith(f"step {steps[-1]} of "))
        self.press(Keys.HOME)
        seen = [self.position()]
        for _ in steps[1:]:
            self.press(Keys.ARROW_RIGHT)
            seen.append(self.position())
            self.assertEqual(self.js("return [...document.querySelectorAll('.step')].filter(it => it.offsetParent).length"), 1)
        for step, text in zip(steps, seen):
            self.assertTrue(text.startswith(f"step {step} of {steps[-1]}: "), text)
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.position(), seen[-1])
        self.press(Keys.HOME)
        self.assertEqual(self.position(), seen[0])
        self.press(Keys.PAGE_DOWN, Keys.PAGE_DOWN, Keys.PAGE_UP)
        self.assertEqual(self.position(), seen[1])
        self.press("v")
        self.assertEqual(self.position(), seen[-1])
        self.press(Keys.HOME, "n")
        self.assertIn("is stopped", self.position())
        self.press(Keys.HOME, Keys.END)
        self.assertEqual(self.position(), seen[-1])

    def test_a_run_opens_where_it_breaks_with_the_picture_before_all_buttons(self):
        place = "return [...document.querySelectorAll(arguments[0])].filter((it) => it.checkVisibility()).map((it) => { const box = it.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; })"
        for (width, height), page in ((size, page) for size in ((1280, 900), (390, 844)) for page in (TRACE, "set-nx-px+pause+no-stale-write.html")):
            self.size(width, height)
            self.load(page)
            run = self.js("return JSON.parse(document.querySelector('#run').textContent)")
            self.assertTrue(self.position().startswith(f"step {run['steps'][run['violation']]} of "))
            buttons = self.js(place, "button")
            self.assertLessEqual(len(buttons), 3)
            [overlap] = self.js(place, "#overview > svg .overlap")
            names = self.js(place, "#overview > svg .names")[0]
            self.assertLessEqual(overlap[3], min(it[1] for it in buttons))
            for box in (overlap, names):
                self.assertTrue(-4 <= box[0] < box[2] <= width and 0 <= box[1] < box[3] <= height, (page, width, box))
            self.assertLessEqual(names[2], overlap[0] + 1)
            [current] = self.js(place, "#sequence g.row.current .hit")
            self.assertLess(current[1], height)

    def test_a_link_leads_to_its_step(self):
        self.load(TRACE + "#step=4")
        self.assertTrue(self.position().startswith("step 4 of "))
        self.press(Keys.ARROW_RIGHT)
        self.assertTrue(self.browser.current_url.endswith("#step=5"))
        self.load(TRACE + "#step=99")  # there are not so many
        self.assertRegex(self.position(), r"^step (\d+) of \1:")

    def test_a_click_selects_a_step(self):
        self.load(TRACE)
        self.js("document.querySelector('#sequence g[data-step=\"7\"] .hit').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        self.assertTrue(self.position().startswith("step 7 of "))

    def test_the_ending_can_be_hidden(self):
        self.load(TRACE)
        visible = lambda: self.js("return getComputedStyle(document.querySelector('.diagnosis')).visibility")
        self.assertEqual(visible(), "visible")
        self.press(Keys.HOME, "h")
        self.assertEqual(visible(), "hidden")
        self.assertEqual(self.js("return document.querySelectorAll('.cover').length"), 3)  # of the diagram and both strips
        self.assertGreater(self.js("return document.querySelectorAll('tr.later').length"), 0)
        self.press(Keys.END)
        self.assertEqual(visible(), "visible")
        self.assertEqual(self.js("return document.querySelectorAll('.cover').length"), 0)

    def test_the_filter_keeps_what_has_all_words(self):
        self.load(TRACE)
        self.press("/")
        self.press(*"b1 sends")
        rows = self.js("return [...document.querySelectorAll('#events tbody tr')].filter(it => it.offsetParent).map(it => it.textContent)")
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.assertIn("B sends SET job B1", row)

    def test_without_scripts_everything_is_told(self):
        self.command("Emulation.setScriptExecutionDisabled", value=True)
        self.load(TRACE)
        self.command("Emulation.setScriptExecutionDisabled", value=False)
        hidden = "return [...document.querySelectorAll('#steps .step, h1, .diagnosis, svg.sequence, #overview > svg.overview, #events')].filter(it => !it.checkVisibility()).length"
        self.assertEqual(self.js(hidden), 0)
        self.assertEqual(self.js("return [...document.querySelectorAll('button')].filter(it => it.checkVisibility()).length"), 0)

    def test_dark_is_dark_and_legible(self):
        for scheme in ("light", "dark"):
            self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for page in ("index.html", TRACE):
                self.load(page)
                colours = self.js("""
                    const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((it) => it / 255)
                        .map((it) => it <= .04045 ? it / 12.92 : ((it + .055) / 1.055) ** 2.4);
                        return .2126 * r + .7152 * g + .0722 * b; };
                    const paper = light(getComputedStyle(document.body).backgroundColor);
                    const contrast = (it) => { const ink = light(getComputedStyle(it).color);
                        return (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05); };
                    return [paper, Math.min(...[...document.querySelectorAll('h1, h2, p, th, a, .facts, .bad, .good')].map(contrast))];""")
                self.assertEqual(colours[0] < .1, scheme == "dark", page)
                self.assertGreaterEqual(colours[1], 4.5, (page, scheme))

    def test_forced_colours_keep_the_pictures(self):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
        self.load(TRACE)
        self.assertEqual(self.js("return matchMedia('(forced-colors: active)').matches"), True)
        stroke, paper = self.js("return [getComputedStyle(document.querySelector('line.message')).stroke, getComputedStyle(document.body).backgroundColor]")
        self.assertNotEqual(stroke, paper)

    def test_it_prints(self):
        has_reader = shutil.which("pdftotext")
        for page, least, most, words in ((TRACE, 3, 12, ["mutual-exclusion is violated", "Step 1", "Step 14", "algorithms/token.cpp", "without"]),
                                         ("index.html", 2, 6, ["Which lock holds, under which faults?", "set-nx-px", "What was explored"]),
                                         ("lesson.html", 2, 8, ["思考题"]), (DIFF, 2, 12, ["on the same tapes", "owner-only-release"])):
            self.load(page)
            pdf = base64.b64decode(self.browser.print_page())
            count = len(re.findall(rb"/Type\s*/Page\b", pdf))
            self.assertTrue(least <= count <= most, (page, count))
            if has_reader:
                text = subprocess.run(["pdftotext", "-", "-"], input=pdf, stdout=subprocess.PIPE, check=True).stdout.decode()
                for word in words:
                    self.assertIn(word, text, page)
        if not has_reader:
            print("the words in PDFs are not looked at: pdftotext (Debian: poppler-utils) is missing")

    def test_a_narrow_window_needs_no_horizontal_scrolling(self):
        for width in (320, 768, 1920):
            self.size(width, 800)
            for page in self.all_pages():
                self.load(page)
                self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), width, (page, width))

    def test_a_comparison_opens_on_its_matrix(self):
        for width, height in ((1280, 900), (390, 844)):
            self.size(width, height)
            self.load("index.html")
            advice, rows = self.js("const end = (it) => it.getBoundingClientRect().bottom; return [end(document.querySelector('.advice')), [...document.querySelectorAll('table.matrix tbody tr')].map(end)]")
            self.assertEqual(len(rows), 2)
            self.assertLess(0, advice)
            self.assertLess(advice, rows[0])
            self.assertLess(rows[-1], height)

    def test_the_names_of_locks_stay_beside_a_matrix_that_scrolls(self):
        self.size(200, 844)
        self.load("index.html")
        place = "const it = document.querySelector('.grid'); it.scrollLeft = arguments[0]; return [it.scrollLeft, document.querySelector('table.matrix tbody th').getBoundingClientRect().left]"
        before, after = self.js(place, 0), self.js(place, 500)
        self.assertGreater(after[0], 0)
        self.assertLessEqual(abs(before[1] - after[1]), 3)  # the space beside cells

    def test_whatever_can_be_focused_has_a_name(self):
        for page in self.all_pages():
            self.load(page)
            nodes = self.command("Accessibility.getFullAXTree")["nodes"]
            seen = 0
            for node in nodes:
                properties = {it["name"]: it["value"].get("value") for it in node.get("properties", [])}
                # The document has its title; <main> takes the focus of the first link, and is its own landmark.
                if node.get("ignored") or not properties.get("focusable") or node["role"]["value"] in ("RootWebArea", "main"):
                    continue
                seen += 1
                self.assertTrue(node.get("name", {}).get("value"), (page, node["role"]["value"], node.get("nodeId")))
            self.assertGreater(seen, 2, page)

    def test_the_strip_can_count_time(self):
        self.load(TRACE)
        self.press(Keys.HOME)
        wide = "return [...document.querySelectorAll('#overview svg.overview')].map(it => it.checkVisibility())"
        self.assertEqual(self.js(wide), [True, False])
        self.press("o")
        self.assertEqual(self.js(wide), [False, True])
        self.press("v")
        self.assertEqual(self.js("return document.querySelector('#scrubber').value"), "1000")
        half = "const it = document.querySelector('#scrubber'); it.value = 500; it.dispatchEvent(new Event('input')); const run = JSON.parse(document.querySelector('#run').textContent); return [run.times, run.steps, arguments[0]]"
        times, steps, _ = self.js(half, 0)
        middle = max(i for i, it in enumerate(times) if it <= (times[0] + times[-1]) / 2)
        self.assertTrue(self.position().startswith(f"step {steps[middle]} of "), self.position())
        self.press("o")
        self.assertEqual(self.js(wide), [True, False])

    def test_a_script_is_shown_with_its_step(self):
        self.load("diff/set-nx-px+pause+owner-only-release+unlike-token.html")
        self.load("diff/token+pause+owner-only-release+like-set-nx-px.html")
        marked = []
        for _ in range(40):
            marked += self.js("return [...document.querySelectorAll('#code figure.current .script ~ pre mark')].filter(it => it.checkVisibility()).map(it => it.textContent.trim())")
            self.press(Keys.ARROW_RIGHT)
        self.assertIn("return redis.call('DEL', KEYS[1])", marked)

    def test_a_reader_finds_the_run_question_by_question(self):
        self.load(TRACE)
        game = self.js("return JSON.parse(document.querySelector('#run').textContent).game")
        self.assertGreater(len(game["moves"]), 5)
        self.js("document.querySelector('[data-do=play]').click()")
        text = lambda place: self.js("return document.querySelector(arguments[0]).textContent", place)
        steps = self.js("return JSON.parse(document.querySelector('#run').textContent).steps")
        moves = [it for it in game["moves"] if it["steps"] >= steps[0]]
        self.assertEqual(text("#question"), moves[0]["question"])
        self.assertEqual(self.js("return getComputedStyle(document.querySelector('.diagnosis')).visibility"), "hidden")
        wrong = 1 - moves[0]["picked"] if moves[0]["picked"] < 2 else 0
        self.press(str(wrong))
        self.assertTrue(text("#outcome").startswith("✘"))
        self.press("u")
        self.assertEqual(text("#outcome"), "")
        for move in moves:
            self.assertEqual(text("#question"), move["question"])
            shown = int(re.match(r"step (\d+) of ", self.position()).group(1))
            self.assertLessEqual(shown, move["steps"])  # what comes of it is not there yet
            self.press(str(move["picked"]))
            self.assertTrue(text("#outcome").startswith("✔"))
            self.press(Keys.ENTER)
        self.assertEqual(text("#score"), f"{len(moves)} of {len(moves)} as in this run.")
        self.assertEqual(self.js("return getComputedStyle(document.querySelector('.diagnosis')).visibility"), "visible")
        self.js("document.querySelector('[data-do=stop]').click()")
        self.assertFalse(self.js("return document.querySelector('#game').checkVisibility()"))

    def test_a_game_says_what_the_shortest_run_is(self):
        self.load("game.html")
        self.js("document.querySelector('[data-do=play]').click()")
        self.assertEqual(self.js("return document.querySelectorAll('#answers b').length"), 0)
        for _ in range(2):
            self.press("1", Keys.ENTER)
        self.assertEqual(self.js("return document.querySelector('#question').textContent"),
                         "This run breaks the lock in 9 steps; the shortest known takes 8 steps.")

    def test_both_runs_of_a_tape_step_together(self):
        self.load(DIFF)
        current = "return ['first', 'second'].map(side => [...document.querySelectorAll('details[open] [data-side=' + side + '] g.current')].map(it => it.dataset.step))"
        rows = self.js("return [...document.querySelectorAll('details[open] table.beside tbody tr')].map(it => [it.dataset.first, it.dataset.second])")
        self.assertGreater(len(rows), 5)
        for first, second in rows:
            self.press(Keys.ARROW_RIGHT)
            self.assertEqual(self.js(current), [first.split(), second.split()])
        self.press(Keys.PAGE_UP)
        self.assertEqual(self.js(current), [it.split() for it in rows[-2]])

    def test_a_page_in_chinese_says_so_at_every_step(self):
        self.load("chinese.html")
        self.assertEqual(self.js("return document.documentElement.lang"), "zh-Hans")
        self.press(Keys.END)
        self.assertTrue(self.position().startswith("第 9 步，共 9 步: "))
        self.press("h")
        self.assertEqual(self.js("return document.querySelector('[data-do=ending]').textContent"), "显示结局")

    def test_keys_turn_slides_whose_texts_fill_them(self):
        self.size(1280, 900)
        for page in ("slides.html", "slides.zh.html"):
            self.load(page)
            count = self.js("return document.querySelectorAll('.slide').length")
            shown = "return [...document.querySelectorAll('.slide')].findIndex(it => Math.abs(it.getBoundingClientRect().top) < 2)"
            self.assertGreater(count, 5)
            for i in range(1, count):
                self.press(Keys.ARROW_RIGHT)
                self.assertEqual(self.js(shown), i, page)
                # Nobody reads less than 16 px from the last row; drawings grow with the slide, and no slide is longer than the screen.
                small = self.js("return [...document.querySelectorAll('.slide')][arguments[0]].querySelectorAll('p:not(.facts), li, summary, code') && [...[...document.querySelectorAll('.slide')][arguments[0]].querySelectorAll('p:not(.facts), li, summary, code')].filter(it => it.checkVisibility() && parseFloat(getComputedStyle(it).fontSize) < 16).map(it => it.textContent)", i)
                self.assertEqual(small, [], (page, i))
                tall = self.js("return [...document.querySelectorAll('.slide')][arguments[0]].getBoundingClientRect().height", i)
                self.assertLessEqual(tall, 900, (page, i))
            self.press(Keys.ARROW_LEFT)
            self.assertEqual(self.js(shown), count - 2)
            self.press(Keys.HOME)
            self.assertEqual(self.js(shown), 0)

    def test_a_lesson_folds_its_verdict_and_prints_it(self):
        self.load("lesson.html")
        visible = "return [...document.querySelectorAll('.finding, .good')].filter(it => it.checkVisibility()).length"
        self.assertEqual(self.js(visible), 0)
        self.js("document.querySelector('details.ask summary').click()")
        self.assertEqual(self.js(visible), 1)
        self.load("lesson.html")
        self.js("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.js(visible), 1)
        self.js("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.js(visible), 0)

    def test_hostile_names_are_only_names(self):
        self.load("hostile.html")
        self.assertEqual(self.js("return document.querySelectorAll('img, iframe, object').length"), 0)
        self.assertEqual(self.js("return document.scripts.length"), 2)
        self.assertIn("<script>alert(1)</script>", self.js("return document.querySelector('h1').textContent"))

    def test_a_long_run_is_shown_part_by_part(self):
        self.load("long.html")
        self.press(Keys.END)
        last = self.position()
        self.press(Keys.HOME)
        self.assertTrue(self.position().startswith("step 1 of "))
        self.assertEqual(self.js("return document.querySelectorAll('#sequence svg').length"), 1)
        drawn = "const it = document.querySelector('#lens canvas'); const ink = it.getContext('2d').getImageData(0, 0, it.width, it.height).data; return ink.filter((byte, i) => i % 4 === 3 && byte > 0).length"
        self.assertGreater(self.js(drawn), 500)
        self.press(Keys.END)
        self.assertEqual(self.position(), last)


class LongRunsAreThereSoon(Opened):
    """Nothing may run beside it."""
    make = staticmethod(make_samples)

    def test_long_runs_are_there_soon(self):
        for page, limit in (("long.html", 0.5), ("endless.html", 2.0)):
            taken = []
            for _ in range(5):
                self.load(page)
                taken.append(self.js("return performance.getEntriesByType('navigation')[0].domComplete") / 1000)
            begin = time.monotonic()
            self.press(Keys.HOME)
            self.assertLess(time.monotonic() - begin, 1.0, page)
            print(f"{page}: {(PAGES / page).stat().st_size / 1e6:.1f} MB, interactive after {min(taken):.2f} s")
            self.assertLess(min(taken), limit, page)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
