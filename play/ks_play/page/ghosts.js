// Ghosts: men of the opponent that the player sets where he believes them. The server keeps them for the analysis.
import { $, NAMES, read, write } from "./common.js";

export class Ghosts {
  constructor(palette, changed, time) {
    this.time = time;
    this.palette = palette;
    this.changed = changed;
    this.men = {};
    this.kind = "pawn";
  }

  begin(token, colour) {
    this.key = `ghosts ${token}`;
    this.colour = colour;
    this.men = read(this.key, {});
    this.kept = read(`${this.key} then`, []); // [how many announcements were heard, the ghosts from then on]
    this.palette.replaceChildren(...[...Object.values(NAMES), "none"].map((kind) => this.button(kind)));
  }

  button(kind) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-pressed", kind === this.kind);
    button.setAttribute("aria-label", kind === "none" ? "Take ghosts away" : `${this.colour} ${kind}`);
    if (kind === "none") button.textContent = "✕";
    else {
      const picture = document.createElement("img");
      picture.src = `/pieces/${this.colour}-${kind}.svg`;
      picture.alt = "";
      button.append(picture);
    }
    button.addEventListener("click", () => {
      this.kind = kind;
      for (const each of this.palette.children) each.setAttribute("aria-pressed", each === button);
    });
    return button;
  }

  // A ghost is set, or taken away where the same one stands; or it is moved from another square.
  put(square, from) {
    if (from !== undefined && from !== square) {
      this.men[square] = this.men[from];
      delete this.men[from];
    } else if (this.kind === "none" || this.men[square] === `${this.colour}-${this.kind}`) delete this.men[square];
    else this.men[square] = `${this.colour}-${this.kind}`;
    this.keep();
  }

  // No ghost stands where one's own men do.
  makeRoom(squares) {
    const taken = squares.filter((square) => square in this.men);
    for (const square of taken) delete this.men[square];
    if (taken.length) this.keep();
  }

  keep() {
    write(this.key, this.men);
    this.kept = [...this.kept.filter(([time]) => time !== this.time()), [this.time(), { ...this.men }]];
    write(`${this.key} then`, this.kept);
    this.changed();
  }

  // The ghosts that stood until the next announcement after so many came.
  at(heard) {
    return this.kept.findLast(([time]) => time <= heard)?.[1] ?? {};
  }
}
