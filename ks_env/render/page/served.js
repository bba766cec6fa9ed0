// What the page has of its server: reasons, further frames of a game that goes on, and the colours of the other
// pages (`theme` in play/ks_play/page/common.js). Left out of files.
const served = {
  dress() {
    try {
      const kept = JSON.parse(localStorage.getItem("theme"));
      if (kept) document.documentElement.dataset.theme = kept;
    } catch { /* a browser that keeps nothing */ }
  },

  keep(theme) {
    try { localStorage.setItem("theme", JSON.stringify(theme)); } catch { /* the same */ }
  },

  async ask() {
    const number = current + 1, player = $("asked").value;
    this.asking = true;
    this.because();
    let answer;
    try {
      const reply = await fetch(game.ask, { method: "POST", body: JSON.stringify({ number, player }) });
      answer = await reply.json();
    } catch {
      answer = { error: "the server does not answer" };
    }
    this.asking = false;
    const others = (this.explained[number] ?? []).filter((each) => each.player !== player);
    this.explained[number] = [...others, { player, ...answer }];
    this.because();
  },

  async extend() {
    if (!this.awaits || this.fetching || current < end - 8) return;
    this.fetching = true;
    try {
      const reply = await fetch(game.live, { method: "POST", body: JSON.stringify({ since: end + 1 }) });
      const told = await reply.json();
      if (!reply.ok) throw new Error(told.error);
      this.take(told);
    } catch (error) {
      $("about").textContent = `The game stops here: ${error.message}`;
      this.awaits = false;
    }
    this.fetching = false;
    if (this.awaits) this.extend();
  },

  take({ frames, over, state, result, links }) {
    game.frames.push(...frames);
    for (const view of views) view.add(frames);
    end = game.frames.length - 1;
    $("slider").max = end;
    this.said = state;
    this.awaits = !over;
    if (over) this.last = { result, links };
    drawEvents();
    this.draw();
    show(current);
  },

  // How it ended is said when it is seen.
  finish() {
    if (!this.last || current !== end) return;
    $("score").textContent = this.last.result;
    $("about").textContent = this.said;
    for (const [words, address] of this.last.links) this.link(words, address);
    this.last = null;
  },
};
