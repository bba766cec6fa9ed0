// The board: 64 squares in a grid, men as pictures, marks as one drawing above them.
import { NAMES, nameOf } from "./common.js";

const SVG = "http://www.w3.org/2000/svg", SIDE = 45;
const KINDS = Object.values(NAMES);
// As in ks_env/render/palette.py; the second under men that are possible.
const AGES = [[1, [214, 230, 213]], [6, [147, 197, 189]], [14, [71, 147, 171]], [22, [42, 95, 146]], [30, [31, 47, 95]]];
const GHOST_AGES = [[1, [228, 235, 220]], [8, [195, 220, 212]], [18, [156, 198, 203]], [30, [118, 171, 194]]];

function ageColour(age, stops) {
  const value = Math.min(age, 30);
  const top = Math.max(1, stops.findIndex(([stop]) => value <= stop));
  const [low, first] = stops[top - 1], [high, second] = stops[top];
  return `rgb(${first.map((c, i) => Math.round(c + ((second[i] - c) * Math.max(0, value - low)) / (high - low))).join(" ")})`;
}

export const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

export function menOf(placement) {
  const found = new Map();
  placement.split("/").forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") { file += +letter; continue; }
      found.set(file + 8 * (7 - down), `${letter === letter.toLowerCase() ? "black" : "white"}-${NAMES[letter.toLowerCase()]}`);
      file += 1;
    }
  });
  return found;
}

function element(tag, attributes, parent) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

function picture(man, name) {
  const made = document.createElement("img");
  Object.assign(made, { src: `/pieces/${man}.svg`, alt: "", className: name, draggable: false });
  return made;
}

export class Board {
  constructor(place, acts) {
    this.place = place;
    this.acts = acts;
    this.colour = null;
    this.picked = null;
    this.walker = null;
    this.men = new Map();
    this.targets = new Map();
    this.cells = [];
    place.addEventListener("pointerdown", (event) => this.press(event));
    place.addEventListener("pointermove", (event) => this.drag(event));
    place.addEventListener("pointerup", (event) => this.release(event));
    place.addEventListener("pointercancel", () => this.drop());
    place.addEventListener("keydown", (event) => this.key(event));
  }

  // The player's own side is below.
  turn(colour) {
    if (colour === this.colour) return;
    this.colour = colour;
    this.place.replaceChildren();
    this.walker = colour === "white" ? 12 : 52;
    for (let row = 0; row < 8; row++) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let column = 0; column < 8; column++) line.append(this.cell(row, column));
      this.place.append(line);
    }
    this.marks = element("svg", { viewBox: "0 0 360 360", class: "marks", "aria-hidden": "true" }, this.place);
  }

  cell(row, column) {
    const square = this.colour === "white" ? column + 8 * (7 - row) : 7 - column + 8 * row;
    const cell = document.createElement("div");
    cell.setAttribute("role", "gridcell");
    cell.dataset.square = nameOf(square);
    cell.tabIndex = square === this.walker ? 0 : -1;
    cell.addEventListener("focus", () => this.walkTo(square));
    this.cells[square] = cell;
    return cell;
  }

  manOn(square) {
    return this.men.get(square);
  }

  draw(state, shown) {
    const { scene } = state;
    this.shown = shown;
    this.men = menOf(scene.board);
    this.targets = new Map();
    for (const [from, to] of state.tries) this.targets.set(from, [...(this.targets.get(from) ?? []), to]);
    if (!this.targets.has(this.picked) && !shown.ghosting) this.picked = null;
    this.scene = scene;
    this.age = shown.ages && scene.ages ? bytes(scene.ages) : null;
    this.belief = shown.belief ? bytes(shown.belief.squares) : null;
    for (let square = 0; square < 64; square++) this.drawSquare(square);
    this.drawMarks();
  }

  drawSquare(square) {
    const cell = this.cells[square], { scene, shown } = this, man = this.men.get(square);
    const light = ((square & 7) + (square >> 3)) % 2 === 1, targets = this.targets.get(this.picked) ?? [];
    const age = man ? 0 : this.age?.[square] ?? 0, ghost = man ? null : shown.ghosts[square];
    const flags = {
      light, dark: !light, last: scene.last?.includes(square), check: scene.check.includes(square) || scene.king === square,
      shaded: scene.shaded.includes(square), picked: square === this.picked, target: targets.includes(square),
      movable: this.targets.has(square) && !shown.waiting, aged: age > 0,
    };
    cell.className = Object.keys(flags).filter((name) => flags[name]).join(" ");
    cell.style.setProperty("--aged", age ? ageColour(age, this.belief ? GHOST_AGES : AGES) : "transparent");
    cell.dataset.age = age && !this.belief ? age : "";
    cell.classList.toggle("old", age > 12);
    const pictures = [];
    if (man) pictures.push(picture(man, "man"));
    else if (this.belief && !ghost) pictures.push(this.drawPossible(square));
    if (ghost) pictures.push(picture(ghost, "man ghost"));
    cell.replaceChildren(...pictures);
    cell.setAttribute("aria-label", this.describe(square, man, ghost, flags, age));
    cell.setAttribute("aria-selected", flags.picked);
  }

  drawPossible(square) {
    const box = document.createElement("span"), kinds = this.belief[2 * square];
    const other = this.colour === "white" ? "black" : "white";
    const possible = KINDS.filter((_, i) => (kinds >> (i + 1)) & 1);
    box.className = `possible n${Math.min(possible.length, 6)}`;
    if (possible.length && !(kinds & 1)) box.classList.add("sure");
    box.append(...possible.map((kind) => picture(`${other}-${kind}`, "")));
    return box;
  }

  describe(square, man, ghost, flags, age) {
    const parts = [nameOf(square), man ? man.replace("-", " ") : this.emptyWords(flags)];
    if (this.belief && !man) {
      const kinds = KINDS.filter((_, i) => (this.belief[2 * square] >> (i + 1)) & 1);
      parts[1] = kinds.length ? `possibly ${kinds.join(", ")}` : "surely empty";
    }
    if (ghost) parts.push(`ghost of a ${ghost.replace("-", " ")}`);
    if (age) parts.push(`${age} turn${age === 1 ? "" : "s"} unseen`);
    if (flags.picked) parts.push("picked up");
    if (flags.target) parts.push("can be tried");
    if (this.scene.refused.some(([from, to]) => to === square && from === (this.picked ?? from))) parts.push("refused");
    const mark = this.scene.marks.find(([at]) => at === square);
    if (mark) parts.push(mark[3]);
    return parts.join(", ");
  }

  emptyWords(flags) {
    return flags.shaded ? this.scene.shade_words : this.scene.empty_words || "empty for all you know";
  }

  corner(square) {
    const file = square & 7, rank = square >> 3;
    return this.colour === "white" ? [SIDE * file, SIDE * (7 - rank)] : [SIDE * (7 - file), SIDE * rank];
  }

  drawMarks() {
    const { scene } = this;
    this.marks.replaceChildren();
    for (let i = 0; i < 8; i++) {
      const rank = this.colour === "white" ? 8 - i : i + 1, file = this.colour === "white" ? i : 7 - i;
      element("text", { class: "coordinate", x: 2.5, y: SIDE * i + 9 }, this.marks).textContent = rank;
      element("text", { class: "coordinate", x: SIDE * (i + 1) - 7, y: 357 }, this.marks).textContent = "abcdefgh"[file];
    }
    for (const square of scene.captures) {
      const [x, y] = this.corner(square);
      element("rect", { class: "capture", x: x + 2, y: y + 2, width: 41, height: 41, rx: 4 }, this.marks);
    }
    for (const [square, number, known] of scene.marks) {
      const [x, y] = this.corner(square);
      element("circle", { class: "marked-man", cx: x + 22.5, cy: y + 22.5, r: 20.5, "stroke-dasharray": known ? "none" : "5 3.5" }, this.marks);
      element("circle", { class: "badge", cx: x + 37.5, cy: y + 7.5, r: 6.5 }, this.marks);
      element("text", { class: "number", x: x + 37.5, y: y + 10.8 }, this.marks).textContent = number;
    }
    for (const square of scene.tries) {
      const [x, y] = this.corner(square);
      element("circle", { class: "pawn-try", cx: x + 37, cy: y + 8, r: 4.5 }, this.marks);
    }
    for (const [from, to] of scene.refused) this.drawRefused(from, to);
  }

  drawRefused(from, to) {
    const [x1, y1] = this.corner(from).map((c) => c + SIDE / 2), [x2, y2] = this.corner(to).map((c) => c + SIDE / 2);
    const start = 17 / Math.hypot(x2 - x1, y2 - y1);
    const line = `M${x1 + start * (x2 - x1)} ${y1 + start * (y2 - y1)}L${x2} ${y2}`, cross = `M${x2 - 7} ${y2 - 7}l14 14m0 -14l-14 14`;
    const group = element("g", { class: "refused", "data-try": nameOf(from) + nameOf(to) }, this.marks);
    element("path", { class: "under", d: line + cross }, group);
    element("path", { class: "way", d: line }, group);
    element("path", { class: "cross", d: cross }, group);
  }

  shake(refused) {
    const cell = refused && this.cells[refused[0]];
    if (!cell) return;
    cell.classList.add("shake");
    cell.addEventListener("animationend", () => cell.classList.remove("shake"), { once: true });
  }

  // ---- picking up and putting down

  redraw() {
    for (let square = 0; square < 64; square++) this.drawSquare(square);
  }

  pick(square) {
    this.picked = square;
    this.redraw();
  }

  // A square is pointed at: pick up there, or put down what was picked up.
  point(square) {
    if (!this.shown) return;
    if (this.shown.ghosting && !this.men.has(square)) return this.acts.ghost(square);
    if (this.picked !== null && this.targets.get(this.picked)?.includes(square)) return this.putDown(square);
    if (this.targets.has(square) && square !== this.picked) return this.pick(square);
    this.pick(null);
  }

  putDown(square) {
    const from = this.picked;
    this.pick(null);
    this.acts.choose(from, square);
  }

  squareAt(event) {
    const box = this.place.getBoundingClientRect();
    const column = Math.floor((8 * (event.clientX - box.left)) / box.width), row = Math.floor((8 * (event.clientY - box.top)) / box.height);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return this.colour === "white" ? column + 8 * (7 - row) : 7 - column + 8 * row;
  }

  press(event) {
    const square = this.squareAt(event);
    if (square === null || event.button > 0 || !this.shown) return;
    this.cells[square].focus({ preventScroll: true });
    event.preventDefault();
    const ghost = this.shown.ghosting && this.shown.ghosts[square] && !this.men.has(square);
    const own = this.targets.has(square) && !(this.targets.get(this.picked)?.includes(square));
    if (!ghost && !own) return this.point(square);
    this.held = { square, ghost, moved: false, again: square === this.picked, x: event.clientX, y: event.clientY };
    if (own && !ghost) this.pick(square);
    this.place.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.held) return;
    const { square, x, y } = this.held, dx = event.clientX - x, dy = event.clientY - y;
    if (!this.held.moved && Math.hypot(dx, dy) < 5) return;
    this.held.moved = true;
    const man = this.cells[square].querySelector(".man");
    if (!man) return;
    man.classList.add("held");
    man.style.transform = `translate(${dx}px, ${dy}px)`;
  }

  release(event) {
    if (!this.held) return;
    const { square, ghost, moved, again } = this.held, end = this.squareAt(event);
    this.drop();
    if (ghost) return end === null ? null : this.acts.ghost(end, moved ? square : undefined);
    if (moved && end !== square && end !== null && this.targets.get(square)?.includes(end)) return this.putDown(end);
    if (moved || again) this.pick(null);
  }

  drop() {
    this.held = null;
    for (const man of this.place.querySelectorAll(".held")) {
      man.classList.remove("held");
      man.style.transform = "";
    }
  }

  // ---- the keyboard

  walkTo(square) {
    if (this.walker !== null) this.cells[this.walker].tabIndex = -1;
    this.walker = square;
    this.cells[square].tabIndex = 0;
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.key === "Escape") return this.pick(null);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return this.point(this.walker);
    }
    if (!steps[event.key]) return;
    event.preventDefault();
    const sign = this.colour === "white" ? 1 : -1, clip = (value) => Math.max(0, Math.min(7, value));
    const [across, up] = steps[event.key].map((step) => sign * step);
    this.cells[clip((this.walker & 7) + across) + 8 * clip((this.walker >> 3) + up)].focus();
  }
}
