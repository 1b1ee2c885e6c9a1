// What a page of holdfast does beyond being read: stepping, links to steps, hiding the ending, filtering, copying.
"use strict";
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const root = document.documentElement;
  root.classList.add("live");
  for (const element of all("[hidden]")) if (element.matches("button, .scrubber, .keys, .filter")) element.hidden = false;

  // --- every page: light or dark, print ---
  const actions = {
    theme() {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    },
    print() { print(); },
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button && actions[button.dataset.do]) actions[button.dataset.do](button);
  });

  // --- the page of a comparison: rows by the name of their lock ---
  const locks = one("#locks");
  if (locks) locks.addEventListener("input", () => {
    const words = locks.value.toLowerCase();
    for (const row of all("tr[data-lock]")) row.hidden = !row.dataset.lock.includes(words);
  });

  const island = one("#run");
  if (!island) return;

  // --- the page of a run ---
  const run = JSON.parse(island.textContent);
  const count = run.steps.length;
  if (count === 0) return;
  const scrubber = one("#scrubber");
  const position = one("#position");
  const overview = one("svg.overview");
  const cursor = one(".cursor", overview);
  const left = +cursor.getAttribute("x");
  const column = (overview.viewBox.baseVal.width - left - 4) / count;
  scrubber.min = run.first + 1;
  let now = -1;       // index of the current step
  let far = -1;       // the furthest step that was looked at since the ending was hidden
  let hiding = false;
  const parts = all("script.part");
  let shown = parts.length ? parts[parts.length - 1].dataset.first : null;

  const inSteps = (step) => one("#step-" + step);
  const rowOf = (step) => one('#sequence g[data-step="' + step + '"]');

  // Another part of a long run: its text becomes the page's.
  function show_part(step) {
    const part = parts.find((it) => +it.dataset.first <= step && step <= +it.dataset.last);
    if (!part || part.dataset.first === shown) return;
    shown = part.dataset.first;
    for (const it of parts.filter((it) => it.dataset.first === shown)) {
      const into = it.dataset.into === "events" ? one("#events tbody") : one("#" + it.dataset.into);
      into.innerHTML = it.textContent;
    }
    const notice = one("#part");
    if (notice) notice.textContent = "Steps " + part.dataset.first + " to " + part.dataset.last + " of " + run.steps[count - 1] + ".";
    filter();
  }

  // Beyond the furthest step, pictures and tables stay covered.
  function cover() {
    root.classList.toggle("hiding", hiding);
    const ends = far >= count - 1;
    root.classList.toggle("ended", ends);
    for (const row of all("#events tbody tr")) row.classList.toggle("later", hiding && +row.dataset.step > run.steps[far]);
    const picture = one("#sequence svg");
    clip(picture, hiding && !ends ? edge(picture) : null, "bottom");
    clip(overview, hiding && !ends ? left + column * (far + 1) : null, "right");
  }
  function edge(picture) {
    const row = rowOf(run.steps[far]);
    if (row) { const hit = one(".hit", row); return +hit.getAttribute("y") + +hit.getAttribute("height"); }
    return run.steps[far] < +one("#sequence g[data-step]").dataset.step ? 50 : null;
  }
  function clip(picture, where, side) {
    let cover = one(".cover", picture);
    if (where === null) { if (cover) cover.remove(); return; }
    if (!cover) {
      cover = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      cover.setAttribute("class", "cover");
      picture.append(cover);
    }
    const box = picture.viewBox.baseVal;
    cover.setAttribute("x", side === "right" ? where : 0);
    cover.setAttribute("y", side === "right" ? 0 : where);
    cover.setAttribute("width", box.width);
    cover.setAttribute("height", box.height);
  }

  function select(index, keep) {
    index = Math.max(run.first, Math.min(count - 1, index));
    if (index === now) return;
    const step = run.steps[index];
    show_part(step);
    now = index;
    far = Math.max(far, now);
    for (const it of all(".current")) it.classList.remove("current");
    const article = inSteps(step);
    const row = rowOf(step);
    for (const it of [article, row, ...all('#events tr[data-step="' + step + '"]')]) if (it) it.classList.add("current");
    if (article && article.dataset.code) {
      const code = one('figure[data-code="' + article.dataset.code + '"]');
      if (code) code.classList.add("current");
    }
    scrubber.value = index + 1;
    scrubber.setAttribute("aria-valuetext", "step " + step + " of " + run.steps[count - 1] + ": " +
      (article ? one(".sentence", article).textContent : ""));
    position.textContent = "step " + step + " of " + run.steps[count - 1] + (article ? " · " + one("small", article).textContent : "");
    cursor.setAttribute("x", left + column * index);
    if (hiding) cover();
    if (row && !keep) show_row(row);
    if (!keep) history.replaceState(null, "", "#step=" + step);
  }
  // Scrolls the picture, not the page, unless the picture is out of sight.
  function show_row(row) {
    const box = row.getBoundingClientRect();
    const room = one("#sequence").getBoundingClientRect();
    const top = Math.max(room.top, 0);
    const bottom = Math.min(room.bottom, innerHeight);
    if (box.top < top || box.bottom > bottom) row.scrollIntoView({block: "center", inline: "nearest"});
  }

  const same_client = (index, by) => {
    for (let i = index + by; i >= 0 && i < count; i += by) if (run.actors[i] === run.actors[index]) return i;
    return index;
  };
  const fault_from = (by) => {
    const list = by > 0 ? run.faults : [...run.faults].reverse();
    const found = list.find((it) => (by > 0 ? it > now : it < now));
    return found === undefined ? now : found;
  };
  Object.assign(actions, {
    first: () => select(0),
    back: () => select(now - 1),
    next: () => select(now + 1),
    violation: () => select(run.violation === null ? count - 1 : run.violation),
    ending(button) {
      hiding = !hiding;
      far = hiding ? now : count - 1;
      (button || one('[data-do="ending"]')).textContent = hiding ? "Show the ending" : "Hide the ending";
      cover();
    },
    "copy-replay": (button) => copy(one("#replay").textContent, button),
    "copy-link": (button) => copy(location.href.split("#")[0] + "#step=" + run.steps[now], button),
    "copy-svg": (button) => copy(alone(one("#sequence svg")), button),
  });

  // The picture with its own style, as a file of its own.
  function alone(picture) {
    const made = picture.cloneNode(true);
    for (const it of all(".current", made)) it.classList.remove("current");
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = one("style").textContent;
    made.prepend(style);
    return new XMLSerializer().serializeToString(made);
  }
  function copy(text, button) {
    const done = () => {
      const words = button.textContent;
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = words; }, 1200);
    };
    const by_hand = () => {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      if (document.execCommand("copy")) done();
      area.remove();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, by_hand);
    else by_hand();
  }

  const search = one("#filter");
  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const row of all("#events tbody tr")) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      found += row.hidden ? 0 : 1;
    }
    one("#found").textContent = words.length ? found + (parts.length ? " in this part" : " found") : "";
  }
  search.addEventListener("input", filter);

  const keys = {
    ArrowRight: actions.next, ArrowLeft: actions.back, PageDown: actions.next, PageUp: actions.back, j: actions.next,
    k: actions.back, Home: actions.first, End: () => select(count - 1), v: actions.violation, h: () => actions.ending(),
    n: () => select(fault_from(1)), p: () => select(fault_from(-1)), t: () => one("#events").closest(".scroll").focus(),
    "/": () => search.focus(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const typing = event.target.matches("input[type=search], textarea");
    if (typing) { if (event.key === "Escape") event.target.blur(); return; }
    if (event.shiftKey && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      select(same_client(now, event.key === "ArrowRight" ? 1 : -1));
    } else if (keys[event.key]) {
      keys[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  });
  scrubber.addEventListener("input", () => select(scrubber.value - 1));
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#step-"]');
    if (link) event.preventDefault();
    const place = event.target.closest("#sequence g[data-step], #events tr[data-step]");
    if (place) return select(run.steps.indexOf(+place.dataset.step));
    const strip = event.target.closest("svg.overview");
    if (!strip) return;
    const box = strip.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * strip.viewBox.baseVal.width;
    if (x >= left) select(Math.floor((x - left) / column));
  });

  function from_link() {
    const match = /^#step[=-](\d+)/.exec(location.hash);
    if (!match) return false;
    let index = run.steps.findIndex((step) => step > +match[1]);  // in some steps nothing is seen to happen
    index = (index < 0 ? count : Math.max(index, 1)) - 1;
    select(index);
    return true;
  }
  addEventListener("hashchange", from_link);
  if (!from_link()) select(parts.length ? count - 1 : 0, true);
})();
