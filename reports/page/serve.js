// What the pages of `holdfast serve` do beyond links: begin an exploration, watch it, cancel it, and choose by key.
"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  const problem = one("#problem");
  const asked = async (path, how) => {
    const answer = await fetch(path, how);
    const json = await answer.json();
    if (!answer.ok) throw new Error(json.error);
    return json;
  };
  const tell = (error) => { if (problem) problem.textContent = error.message; };

  // --- where somebody chooses ---
  const form = one("#ask");
  if (form) {
    // Fields that say nothing are no part of a link.
    form.addEventListener("formdata", (event) => {
      for (const [name, value] of [...event.formData]) if (!value) event.formData.delete(name);
    });
    one("#explore").addEventListener("click", async () => {
      const fields = Object.fromEntries(new FormData(form));
      problem.textContent = "";
      try {
        const made = await asked(form.dataset.api, {
          method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(fields)});
        location.assign(made.page);
      } catch (error) { tell(error); }
    });
  }

  // --- an exploration that goes on ---
  const main = one("main[data-api]");
  if (main && main.dataset.state === "running") {
    let known = null;
    const look = async () => {
      try {
        const now = await asked(main.dataset.api);
        one("#progress").textContent = now.progress;
        const verdicts = JSON.stringify(now.verdicts);
        if (known === null) known = verdicts;
        // The page itself has the verdicts: links, and no second way to write them.
        if (now.state !== "running" || verdicts !== known) return location.reload();
      } catch (error) { tell(error); }
      setTimeout(look, 400);
    };
    look();
    one("#cancel").addEventListener("click", () => asked(main.dataset.api, {method: "DELETE"}).catch(tell));
  }

  // --- a state of a run: digits choose, u goes back ---
  const actions = [...document.querySelectorAll(".actions a")];
  const so_far = one("#so-far");
  if (so_far) so_far.scrollTop = so_far.scrollHeight;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    const back = one("#back");
    const link = event.key === "u" ? back : /^\d$/.test(event.key) ? actions[+event.key] : null;
    if (link) link.click();
  });
})();
