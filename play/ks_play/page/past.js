// Back and forth through what one's own seat saw, while the game goes on.
import { $ } from "./common.js";

export class Past {
  constructor(ask, changed) {
    this.ask = ask;
    this.changed = changed;
    $("first").addEventListener("click", () => this.go(1));
    $("back").addEventListener("click", () => this.go((this.at ?? this.heard) - 1));
    $("forth").addEventListener("click", () => this.go((this.at ?? this.heard) + 1));
    $("now").addEventListener("click", () => this.leave());
    $("heard").addEventListener("click", ({ target }) => {
      const line = target.closest("li");
      if (line) this.go([...$("heard").children].indexOf(line) + 1);
    });
    addEventListener("keydown", (event) => {
      const steps = { PageUp: -1, PageDown: 1 };
      if (!steps[event.key] || event.ctrlKey || event.altKey || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      this.go((this.at ?? this.heard) + steps[event.key]);
    });
  }

  begin() {
    [this.heard, this.at, this.scenes] = [0, null, new Map()];
    this.show();
  }

  grow(heard) {
    this.heard = heard;
    this.mark();
  }

  // To the time when so many announcements had been heard; past the last it is now again.
  go(at) {
    if (at >= this.heard) return this.leave();
    this.at = Math.max(1, at);
    if (!this.scenes.has(this.at)) this.ask(this.at);
    this.mark();
    this.changed();
  }

  leave() {
    if (this.at === null) return;
    this.at = null;
    this.mark();
    $("heard").scrollTop = $("heard").scrollHeight;
    this.changed();
  }

  show(message) {
    if (message) this.scenes.set(message.at, message.scene);
    this.mark();
    this.changed();
  }

  scene() {
    return this.at === null ? null : this.scenes.get(this.at) ?? null;
  }

  mark() {
    const lines = [...$("heard").children];
    lines.forEach((line, i) => line.classList.toggle("then", i + 1 === this.at));
    const line = lines[this.at - 1];
    if (line) $("heard").scrollTop = line.offsetTop - $("heard").clientHeight / 2;
    $("first").disabled = $("back").disabled = this.heard < 2 || this.at === 1;
    $("forth").disabled = $("now").disabled = this.at === null;
    $("when").textContent = line ? `As it was: ${line.querySelector("span").textContent}` : "";
    document.body.classList.toggle("then", this.at !== null);
  }
}
