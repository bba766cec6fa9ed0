// What the page asks its server for: reasons, and further frames of a game that goes on. Left out of files.
const served = {
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
