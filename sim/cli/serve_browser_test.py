#!/usr/bin/env python3
"""Uses `holdfast serve` in headless Chromium as people do. Usage: serve_browser_test.py HOLDFAST

Needs Debian's chromium; exits with 77 where it is missing.
"""
import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BROWSER = shutil.which("chromium")
if not BROWSER:
    print("skipped: chromium is not installed")
    sys.exit(77)

HOLDFAST = os.path.abspath(sys.argv[1])
PATIENCE = 60  # seconds

# Texts of less than 12 px, and those that stand out too little (WCAG 2, 1.4.3: a contrast of 4.5).
ILLEGIBLE = r"""(() => {
    const rgba = (text) => { const it = text.match(/[\d.]+/g).map(Number); return it.length < 4 ? [...it, 1] : it; };
    const linear = (it) => (it /= 255) <= .04045 ? it / 12.92 : ((it + .055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
    const paper = (element) => { const [r, g, b, alpha] = rgba(getComputedStyle(element).backgroundColor);
        return alpha === 0 && element.parentElement ? paper(element.parentElement) : [r, g, b]; };
    const problems = [];
    for (const it of document.querySelectorAll("main *, nav *")) {
        const has_text = [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!has_text || it.closest("svg, script, noscript") || !it.checkVisibility()) continue;
        const style = getComputedStyle(it), ink = light(rgba(style.color)), ground = light(paper(it));
        const contrast = (Math.max(ink, ground) + .05) / (Math.min(ink, ground) + .05);
        if (parseFloat(style.fontSize) < 12) problems.push("small: " + it.textContent);
        if (contrast < 4.5) problems.push(contrast.toFixed(2) + ": " + it.textContent);
    }
    return problems;
})()"""


class Browser:
    """One page of Chromium, told what to do through a pipe (Chrome DevTools Protocol, --remote-debugging-pipe)."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="holdfast-chromium-")
        theirs_in, self.out = os.pipe()
        self.into, theirs_out = os.pipe()
        # It reads from 3 and writes to 4.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "sh", BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", "--disable-dev-shm-usage", "--disable-background-networking", "--remote-debugging-pipe",
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir=" + self.profile, "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in), os.close(theirs_out)
        self.ids, self.rest, self.complaints, self.session = itertools.count(1), b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def quit(self):
        os.close(self.out), os.close(self.into)
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        number = next(self.ids)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.complaints.append(answer["params"]["exceptionDetails"])
            if answer.get("method") == "Log.entryAdded":
                self.complaints.append(answer["params"]["entry"]["text"])
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]

    def receive(self):
        while b"\0" not in self.rest:
            block = os.read(self.into, 1 << 16)
            if not block:
                raise RuntimeError("the browser has ended")
            self.rest += block
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def js(self, code):
        result = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait_for(self, code):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if value := self.js(code):
                    return value
            except RuntimeError:  # the page changes just now
                pass
            time.sleep(0.05)
        raise AssertionError("never: " + code + " at " + self.js("location.href"))

    def leave(self, act):
        """Does what leads to another page, and waits for that."""
        self.js("window.stays = 1")
        act()
        self.wait_for("!window.stays && document.readyState === 'complete'")

    def open(self, link):
        self.leave(lambda: self.call("Page.navigate", url=link))

    def click(self, selector):
        self.leave(lambda: self.js(f"document.querySelector({json.dumps(selector)}).click()"))

    def text(self, selector):
        return self.js(f"document.querySelector({json.dumps(selector)}).innerText")

    def texts(self, selector):
        return self.js(f"[...document.querySelectorAll({json.dumps(selector)})].map((it) => it.innerText)")

    def links(self, selector):
        return self.js(f"[...document.querySelectorAll({json.dumps(selector)})].map((it) => it.href)")

    def set(self, name, value):
        self.js(f"document.querySelector('[name={name}]').value = {json.dumps(value)}")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def save_picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


class Served(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen([HOLDFAST, "serve", "--port", "0", "-j", "1"], stdout=subprocess.PIPE, text=True)
        cls.home = cls.server.stdout.readline().strip()
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.send_signal(signal.SIGTERM)
        assert cls.server.wait(timeout=PATIENCE) == 0
        cls.server.stdout.close()

    def setUp(self):
        self.browser.size(1280, 900)
        self.browser.complaints.clear()

    def open(self, link):
        self.browser.open(self.home + link)

    def explore_token_under_pause(self):
        self.open("")
        for name, value in (("lock", "token"), ("faults", "pause"), ("properties", "mutual-exclusion")):
            self.browser.set(name, value)
        self.browser.click("#explore")
        self.browser.wait_for("document.querySelector('#state.done') !== null")

    def test_from_a_choice_to_the_run_and_another_action(self):
        browser = self.browser
        self.explore_token_under_pause()
        self.assertIn("violated in", browser.text(".verdicts td.bad"))
        # The page of the run, and from its last step into the state after it.
        browser.click(".verdicts a")
        self.assertIn("mutual-exclusion is violated", browser.text("h1"))
        onward = browser.links("#steps article .tools a")
        self.assertEqual(len(onward), browser.js("document.querySelectorAll('#steps article').length"))
        browser.open(onward[-1])
        self.assertIn("mutual-exclusion is violated", browser.text(".violated"))
        # Step back: nothing is violated. Take another action, and go back through the browser's history.
        end = browser.js("location.href")
        browser.click("#back")
        self.assertEqual(browser.texts(".violated"), [])
        before, actions = browser.js("location.href"), browser.texts(".actions a")
        other = [link for link in browser.links(".actions a") if link != end]
        self.assertEqual(len(other), len(actions) - 1)
        browser.leave(lambda: browser.js(f"[...document.querySelectorAll('.actions a')].find((it) => it.href === {json.dumps(other[0])}).click()"))
        self.assertEqual(browser.js("location.href"), other[0])
        browser.js("history.back()")
        browser.wait_for(f"location.href === {json.dumps(before)} && document.readyState === 'complete'")
        self.assertEqual(browser.texts(".actions a"), actions)
        self.assertEqual(browser.complaints, [])

    def test_play_by_keys_and_every_state_is_an_address(self):
        self.open("runs?lock=token&faults=pause")
        for _ in range(4):
            self.browser.leave(lambda: self.browser.call("Input.dispatchKeyEvent", type="keyDown", key="0"))
        here, text = self.browser.js("location.href"), self.browser.text("main")
        self.assertTrue(here.endswith("picks=0.0.0.0"), here)
        self.browser.open("about:blank")
        self.browser.open(here)
        self.assertEqual(self.browser.text("main"), text)

    def test_it_opens_on_a_picture_that_moves_without_scripts_and_rests_for_who_wants_no_motion(self):
        browser = self.browser
        curtain = "(() => { const it = document.querySelector('.living .curtain'); return it.checkVisibility() && it.getBoundingClientRect().top; })()"
        browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open("")
            browser.call("Emulation.setScriptExecutionDisabled", value=False)
            browser.js("document.querySelector('.living svg').pauseAnimations()")
            tops = []
            for seconds in range(9):
                browser.js(f"document.querySelector('.living svg').setCurrentTime({seconds + .5})")
                tops.append(browser.js(curtain))
            self.assertEqual(tops, sorted(set(tops)))
            self.assertLess(browser.js("document.querySelector('.living svg').getBoundingClientRect().bottom"), 900)
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
            self.assertEqual(browser.js(curtain), False)
        finally:
            browser.call("Emulation.setScriptExecutionDisabled", value=False)
            browser.call("Emulation.setEmulatedMedia", features=[])
        browser.click(".living .go")
        self.assertIn("mutual-exclusion is violated", browser.text("h1"))
        self.assertEqual(browser.complaints, [])

    def test_play_without_scripts(self):
        self.open("")
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open("runs?lock=token&faults=pause")
            links = self.browser.links(".actions a")
            self.assertGreater(len(links), 1)
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)

    def test_a_mistake_is_told_beside_the_form(self):
        self.open("")
        self.browser.set("work", "soon")
        self.browser.js("document.querySelector('#explore').click()")
        self.assertIn('work: "soon"', self.browser.wait_for("document.querySelector('#problem').innerText"))

    def test_an_exploration_is_watched_and_can_be_cancelled(self):
        self.open("")
        for name, value in (("lock", "redisson"), ("faults", "pause"), ("clients", "4"), ("rounds", "3"), ("attempts", "3")):
            self.browser.set(name, value)
        self.browser.click("#explore")
        self.browser.wait_for(r"/[1-9][\d,]* states/.test(document.querySelector('#progress').innerText)")
        self.browser.js("document.querySelector('#cancel').click()")
        self.browser.wait_for("document.querySelector('#state.cancelled') !== null")

    def test_no_page_is_wider_than_a_phone(self):
        self.explore_token_under_pause()
        here = self.browser.js("location.href")[len(self.home):]
        self.browser.size(390, 844)
        for page in ("", here, "runs?lock=token&faults=pause&picks=0.0.0.0.0.0", "runs?lock=nothing", "lessons/6", "lessons/14/run"):
            self.open(page)
            self.assertLessEqual(self.browser.js("document.documentElement.scrollWidth"), 390, page)

    def test_every_page_is_legible_in_light_and_dark(self):
        self.explore_token_under_pause()
        here = self.browser.js("location.href")[len(self.home):]
        end = self.browser.links(".verdicts a")[1][len(self.home):]
        self.open("runs?lock=nothing")
        try:
            for scheme, width, page in itertools.product(("light", "dark"), (1280, 390), ("", here, end, "runs?lock=nothing")):
                self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                self.browser.size(width, 900)
                self.open(page)
                self.assertEqual(self.browser.js(ILLEGIBLE), [], (page, scheme, width))
            # It can find something.
            self.browser.js("{ const it = document.querySelector('h1').style; it.color = 'gray'; it.fontSize = '11px'; it.background = 'gray'; }")
            self.assertEqual(len(self.browser.js(ILLEGIBLE)), 2)
        finally:
            self.browser.call("Emulation.setEmulatedMedia", features=[])

    def test_the_policy_lets_nothing_in_from_elsewhere(self):
        self.open("")
        self.browser.js("{ const it = document.createElement('script'); it.textContent = 'window.broken = 1'; document.body.append(it); }")
        self.assertIsNone(self.browser.js("window.broken"))
        self.assertEqual(self.browser.js("fetch('http://127.0.0.1:1/').catch(() => 'refused')"), "refused")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
