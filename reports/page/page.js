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
    for (const row of all("[data-lock]")) row.hidden = !row.dataset.lock.includes(words);
  });

  // --- what is folded is printed, too ---
  let unfolded = [];
  addEventListener("beforeprint", () => { unfolded = all("details.ask:not([open])"); for (const it of unfolded) it.open = true; });
  addEventListener("afterprint", () => { for (const it of unfolded) it.open = false; });

  // --- slides: one for each turn of a key ---
  const slides = all(".slide");
  if (slides.length) document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if ((event.key === " " || event.key === "Enter") && event.target.matches("button, a, summary")) return;
    const here = slides.findLastIndex((it) => it.getBoundingClientRect().top < innerHeight / 2);
    const to = {ArrowRight: here + 1, ArrowDown: here + 1, PageDown: here + 1, " ": here + 1, ArrowLeft: here - 1, ArrowUp: here - 1,
                PageUp: here - 1, Home: 0, End: slides.length - 1}[event.key];
    if (to === undefined) return;
    slides[Math.max(0, Math.min(slides.length - 1, to))].scrollIntoView();
    event.preventDefault();
  });

  // --- the page of two locks: both runs step together ---
  const tables = all("table.beside");
  let table = null;
  function go(rows, index) {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    const tape = row.closest(".tape");
    for (const it of all(".current", tape)) it.classList.remove("current");
    row.classList.add("current");
    for (const side of ["first", "second"])
      for (const step of row.dataset[side].split(" ").filter(Boolean)) {
        const place = one('[data-side="' + side + '"] g[data-step="' + step + '"]', tape);
        place.classList.add("current");
        place.scrollIntoView({block: "nearest", inline: "nearest"});
      }
    row.scrollIntoView({block: "nearest"});
    table = row.closest("table");
  }
  for (const it of tables) it.addEventListener("click", (event) => {
    const rows = all("tbody tr", it);
    const row = event.target.closest("tbody tr");
    if (row) go(rows, rows.indexOf(row));
  });
  if (tables.length) document.addEventListener("keydown", (event) => {
    const by = {ArrowRight: 1, PageDown: 1, j: 1, ArrowLeft: -1, PageUp: -1, k: -1}[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    const rows = all("tbody tr", table || tables[0]);
    go(rows, rows.findIndex((row) => row.classList.contains("current")) + by);
    event.preventDefault();
  });
  if (tables.length && location.hash.startsWith("#tape-")) one(location.hash).open = true;
  addEventListener("hashchange", () => { const tape = tables.length && one(location.hash); if (tape) tape.open = true; });

  const island = one("#run");
  if (!island) return;

  // --- the page of a run ---
  const run = JSON.parse(island.textContent);
  const count = run.steps.length;
  if (count === 0) return;
  const scrubber = one("#scrubber");
  const position = one("#position");
  const say = (pattern, ...values) => pattern.replace(/\{(\d)\}/g, (_, place) => values[place]);
  // Two strips of the whole run, of which one is shown: steps are equally wide, or as long as they take.
  const strips = all("#overview svg.overview");
  const left = +one(".cursor", strips[0]).getAttribute("x");
  const room = strips[0].viewBox.baseVal.width - left - 4;
  const tail = 40;  // the last instant, by time
  const begin = run.times[0];
  const length = Math.max(run.times[count - 1] - begin, 1);
  const axes = [(index) => left + room * index / count,
    (index) => left + (index < count ? (room - tail) * (run.times[index] - begin) / length : room)];
  let axis = 0;
  scrubber.min = run.first + 1;
  let now = -1;       // index of the current step
  let far = -1;       // the furthest step that was looked at since the ending was hidden
  let hiding = false;
  const parts = all("script.part");
  let shown = parts.length ? parts[parts.length - 1].dataset.first : null;

  const inSteps = (step) => one("#step-" + step);
  const rowOf = (step, picture = one("#sequence svg")) => one('g[data-step="' + step + '"]', picture);
  // Of several servers there are two: with some of them folded, and with all.
  const pictures = () => all(".picture-side svg.sequence");

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
    if (notice) notice.textContent = say(run.words.part, part.dataset.first, part.dataset.last, run.steps[count - 1]);
    filter();
  }

  // Beyond the furthest step, pictures and tables stay covered.
  function cover() {
    root.classList.toggle("hiding", hiding);
    const ends = far >= count - 1;
    root.classList.toggle("ended", ends);
    for (const row of all("#events tbody tr")) row.classList.toggle("later", hiding && +row.dataset.step > run.steps[far]);
    for (const picture of pictures()) clip(picture, hiding && !ends ? edge(picture) : null, "bottom");
    strips.forEach((strip, i) => clip(strip, hiding && !ends ? axes[i](far + 1) : null, "right"));
  }
  function edge(picture) {
    const row = rowOf(run.steps[far], picture);
    if (row) { const hit = one(".hit", row); return +hit.getAttribute("y") + +hit.getAttribute("height"); }
    return run.steps[far] < +one("g[data-step]", picture).dataset.step ? 50 : null;
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
    for (const it of [article, ...pictures().map((picture) => rowOf(step, picture)), ...all('#events tr[data-step="' + step + '"]')]) if (it) it.classList.add("current");
    if (article && article.dataset.code) {
      const code = one('figure[data-code="' + article.dataset.code + '"]');
      if (code) code.classList.add("current");
    }
    const place = say(run.words.position, step, run.steps[count - 1]);
    scrubber.value = axis ? (run.times[index] - begin) / length * 1000 : index + 1;
    scrubber.setAttribute("aria-valuetext", place + ": " + (article ? one(".sentence", article).textContent : ""));
    position.textContent = place + (article ? " · " + one("small", article).textContent : "");
    strips.forEach((strip, i) => one(".cursor", strip).setAttribute("x", axes[i](index)));
    show_column(axes[axis](index + 1));
    if (hiding) cover();
    draw_lens();
    if (row && keep) show_row_within(row);
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

  // At first the page itself stays where it is.
  function show_row_within(row) {
    const room = one("#sequence");
    const box = one(".hit", row).getBoundingClientRect();
    const place = room.getBoundingClientRect();
    room.scrollTop += box.top - place.top - (place.height - box.height) * .7;
    room.scrollLeft = (room.scrollWidth - room.clientWidth) / 2;
  }
  // Where the strip is wider than the window: the step in sight, its names beside it.
  const frame = one("#overview");
  const scale = () => frame.scrollWidth / strips[0].viewBox.baseVal.width;
  function show_column(x) { frame.scrollLeft = (x + 12) * scale() - frame.clientWidth; }
  frame.addEventListener("scroll", () => {
    for (const strip of strips) one(".names", strip).setAttribute("transform", "translate(" + frame.scrollLeft / scale() + " 0)");
  });

  // The last step that was made by then.
  function last_until(time) {
    let low = 0;
    for (let high = count; high - low > 1;) {
      const middle = (low + high) >> 1;
      if (run.times[middle] <= time) low = middle;
      else high = middle;
    }
    return low;
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
      (button || one('[data-do="ending"]')).textContent = hiding ? run.words.show : run.words.hide;
      cover();
    },
    axis(button) {
      axis = 1 - axis;
      (button || one('[data-do="axis"]')).textContent = axis ? run.words.bySteps : run.words.byTime;
      one("#by-time").hidden = !axis;
      strips[0].classList.toggle("away", axis === 1);
      scrubber.min = axis ? 0 : run.first + 1;
      scrubber.max = axis ? 1000 : count;
      scrubber.value = axis ? (run.times[now] - begin) / length * 1000 : now + 1;
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
      button.textContent = run.words.copied;
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
    one("#found").textContent = words.length ? say(parts.length ? run.words.foundInPart : run.words.found, found) : "";
  }
  search.addEventListener("input", filter);

  const keys = {
    ArrowRight: actions.next, ArrowLeft: actions.back, PageDown: actions.next, PageUp: actions.back, j: actions.next,
    k: actions.back, Home: actions.first, End: () => select(count - 1), v: actions.violation, h: () => actions.ending(),
    o: () => actions.axis(), u: () => playing() && actions["take-back"](), Enter: () => playing() && actions["go-on"](),
    n: () => select(fault_from(1)), p: () => select(fault_from(-1)), t: () => one("#events").closest(".scroll").focus(),
    "/": () => search.focus(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" && event.target.matches("button, a, summary")) return;
    const typing = event.target.matches("input[type=search], textarea");
    if (typing) { if (event.key === "Escape") event.target.blur(); return; }
    if (event.shiftKey && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      select(same_client(now, event.key === "ArrowRight" ? 1 : -1));
    } else if (playing() && /^\d$/.test(event.key)) {
      answer(+event.key);
    } else if (keys[event.key]) {
      keys[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  });
  scrubber.addEventListener("input", () => select(axis ? last_until(begin + scrubber.value / 1000 * length) : scrubber.value - 1));
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#step-"]');
    if (link) event.preventDefault();
    const place = event.target.closest("svg.sequence g[data-step], #events tr[data-step]");
    if (place) return select(run.steps.indexOf(+place.dataset.step));
    const strip = event.target.closest("svg.overview");
    if (!strip) return;
    const box = strip.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * strip.viewBox.baseVal.width;
    if (x >= left) select(axis ? last_until(begin + (x - left) / (room - tail) * length) : Math.floor((x - left) / room * count));
  });

  // --- a long run around the step, drawn anew whenever it changes: each client's belief above its truth ---
  const lens = run.lens && one("#lens");
  const canvas = lens && one("canvas", lens);
  const kinds = ["believes", "named", "stopped", "absent", "slow", "key", "clash"];
  const lane = 34;
  let wide = 160;  // steps from left to right
  function draw_lens() {
    if (!lens) return;
    lens.hidden = false;
    const scale = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = run.lens.clients.length * lane + 8;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.setProperty("height", height + "px");
    const ink = getComputedStyle(strips[0]);
    const colour = (name) => ink.getPropertyValue("--" + name);
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const from = now - wide / 2;
    const x = (index) => 60 + (index - from) * (width - 60) / wide;
    pen.font = "12px sans-serif";
    run.lens.clients.forEach((name, i) => { pen.fillStyle = colour("k" + i % 8); pen.fillText(name, 8, i * lane + 20); });
    pen.save();
    pen.beginPath();
    pen.rect(60, 0, width, height);
    pen.clip();
    const bar = (begin, end, y, tall) => pen.fillRect(x(begin), y, Math.max(x(end) - x(begin), 1), tall);
    for (const [kind, client, begin, end] of run.lens.spans) {
      if (begin > from + wide || end < from) continue;
      const what = kinds[kind];
      const y = client * lane + 4;
      pen.globalAlpha = what === "believes" || what === "named" ? 1 : .3;
      pen.fillStyle = colour(what === "clash" ? "bad" : what === "believes" || what === "named" ? "k" + client % 8 : "still");
      if (what === "clash") bar(begin, end, 0, height);
      else if (what === "believes") bar(begin, end, y, 10);
      else if (what === "named") bar(begin, end, y + 13, 10);
      else bar(begin, end, y - 2, 29);
    }
    pen.globalAlpha = 1;
    for (const [client, sent, arrived, is_reply, is_struck] of run.lens.messages) {
      if (sent > from + wide || arrived < from || client < 0) continue;
      const y = client * lane + 4;
      pen.strokeStyle = colour(is_struck ? "bad" : "k" + client % 8);
      pen.beginPath();
      pen.moveTo(x(sent + .5), is_reply ? y + 28 : y + 10);
      pen.lineTo(x(arrived + .5), is_reply ? y + 10 : y + 28);
      pen.stroke();
    }
    pen.globalAlpha = .2;
    pen.fillStyle = colour("text");
    bar(now, now + 1, 0, height);
    pen.restore();
  }
  if (lens) {
    let held = null;
    canvas.addEventListener("pointerdown", (event) => { held = {at: event.clientX, index: now}; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      if (held) select(held.index - Math.round((event.clientX - held.at) * wide / (canvas.clientWidth - 60)));
    });
    canvas.addEventListener("pointerup", () => { held = null; });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      wide = Math.max(20, Math.min(count, wide * (event.deltaY > 0 ? 1.5 : 1 / 1.5)));
      draw_lens();
    }, {passive: false});
    addEventListener("resize", draw_lens);
  }

  // --- the reader is the network and the clock, and finds what this run chose ---
  const game = one("#game");
  const moves = run.game ? run.game.moves.filter((move) => move.steps >= run.steps[0]) : [];
  let given = null;   // the answers so far; null: nobody plays
  let told = false;   // the last answer was judged, and stands there
  const playing = () => given !== null;
  // What was made before a question is shown, and no more.
  function show_until(steps) {
    let index = run.steps.findIndex((step) => step > steps);
    index = Math.max(run.first, (index < 0 ? count : index) - 1);
    far = index;
    now = -1;
    select(index);
    cover();
  }
  function ask() {
    told = false;
    const move = moves[given.length];
    show_until(move ? move.steps : run.steps[count - 1]);
    one("#question").textContent = move ? move.question : run.game.end || "";
    one("#outcome").textContent = "";
    one("#answers").replaceChildren(...(move ? move.options : []).map((option, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = option;
      button.addEventListener("click", () => answer(i));
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
    one('[data-do="go-on"]').hidden = true;
    one('[data-do="take-back"]').disabled = given.length === 0;
    one("#score").textContent = given.length ? say(run.words.score, given.filter((it, i) => it === moves[i].picked).length, given.length) : "";
  }
  function answer(picked) {
    const move = moves[given.length];
    if (told || !move || picked >= move.options.length) return;
    given.push(picked);
    told = true;
    all("#answers button").forEach((button, i) => {
      button.disabled = true;
      if (i !== move.picked && i !== picked) return;
      button.classList.add(i === move.picked ? "good" : "bad");
      button.prepend(i === move.picked ? "✔ " : "✘ ");
    });
    one("#outcome").textContent = (picked === move.picked ? "✔ " + run.words.right : "✘ " + run.words.wrong);
    one('[data-do="go-on"]').hidden = false;
  }
  Object.assign(actions, {
    play() {
      given = [];
      hiding = true;
      game.hidden = false;
      root.classList.add('playing');
      ask();
      scrollTo(0, 0);
    },
    stop() {
      root.classList.remove('playing');
      given = null;
      game.hidden = true;
      hiding = false;
      cover();
    },
    'go-on': () => told && ask(),
    'take-back'() {
      given.pop();
      ask();
    },
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
  // It opens at the moment that matters.
  if (!from_link()) select(run.violation === null ? (parts.length ? count - 1 : 0) : run.violation, true);
})();
