"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const VIEWS = ["referee", "white", "black"];
const SVG = "http://www.w3.org/2000/svg";
const SIDE = 45, NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const $ = (id) => document.getElementById(id);

function element(tag, attributes, parent) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (parent) parent.append(made);
  return made;
}

// ---- the states: every frame tells only what changed since the one before

function unfold(view) {
  const states = [];
  let state = {};
  for (const frame of game.frames) {
    const change = frame.views[view];
    if (Object.keys(change).length) {
      state = { ...state, ...change };
      if (change.board !== undefined) state.men = men(change.board);
      if (change.ages !== undefined) state.age = Uint8Array.from(atob(change.ages), (c) => c.charCodeAt(0));
    }
    states.push(state);
  }
  return states;
}

function men(placement) {
  const found = [];
  placement.split("/").forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") { file += +letter; continue; }
      const colour = letter === letter.toLowerCase() ? "black" : "white";
      found.push([file + 8 * (7 - down), `${colour}-${NAMES[letter.toLowerCase()]}`]);
      file += 1;
    }
  });
  return found;
}

// ---- colours

function mix(first, second, share) {
  const parts = [1, 3, 5].map((i) => {
    const a = parseInt(first.slice(i, i + 2), 16), b = parseInt(second.slice(i, i + 2), 16);
    return Math.round(a + (b - a) * share);
  });
  return `rgb(${parts.join(",")})`;
}

function ageColour(age) {
  const stops = game.scale, top = stops[stops.length - 1][0];
  const value = Math.max(stops[0][0], Math.min(age, top));
  for (let i = 1; i < stops.length; i++) {
    const [low, first] = stops[i - 1], [high, second] = stops[i];
    if (value <= high) return mix(first, second, (value - low) / (high - low));
  }
  return stops[stops.length - 1][1];
}

const isLight = (square) => ((square & 7) + (square >> 3)) % 2 === 1;

// ---- one view: a board, its scale and what was heard

class View {
  constructor(section) {
    this.name = section.dataset.view;
    this.states = unfold(this.name);
    const title = this.name === "referee" ? "Referee" : `${this.name === "white" ? "White" : "Black"}’s view`;
    section.innerHTML = `<h2><span class="disc ${this.name}"></span>${title}<span class="turn"></span></h2>`;
    this.turn = section.querySelector(".turn");
    this.svg = element("svg", { viewBox: "-16 0 377 377", class: "board", role: "img", "aria-label": title }, section);
    this.ground = element("g", { "shape-rendering": "crispEdges" }, this.svg);
    this.squares = [];
    for (let square = 0; square < 64; square++) {
      this.squares.push(element("rect", { width: SIDE, height: SIDE }, this.ground));
    }
    element("path", { d: "M0 0H360V360H0z", fill: "none", stroke: "var(--muted)" }, this.svg);
    this.coordinates = element("g", {}, this.svg);
    this.marks = element("g", {}, this.svg);
    this.scale = this.makeScale(section);
    this.makeLog(section);
    this.place();
  }

  place() {
    this.turned = this.name === "black" && $("flip").checked;
    this.squares.forEach((rect, square) => {
      const [x, y] = this.corner(square);
      rect.setAttribute("x", x);
      rect.setAttribute("y", y);
    });
    this.coordinates.replaceChildren();
    for (let i = 0; i < 8; i++) {
      const [x, y] = this.corner(9 * i);
      this.text(this.coordinates, -9, y + 26, i + 1, { class: "coordinate" });
      this.text(this.coordinates, x + 22.5, 373, "abcdefgh"[i], { class: "coordinate" });
    }
  }

  makeScale(section) {
    const scale = document.createElement("div");
    scale.className = "scale";
    const stops = game.scale.map(([age, colour]) => `${colour} ${(100 * (age - 1)) / 29}%`).join(",");
    scale.innerHTML = `<span class="ages">1</span><span class="bar ages" style="background:linear-gradient(90deg,${stops})"></span>
      <span class="ages">30+ turns unseen</span><span class="mark"><span><i style="color:var(--capture)">▢</i> capture</span>
      <span><i style="color:var(--alert)">✕</i> refused</span></span>`;
    section.append(scale);
    return scale;
  }

  makeLog(section) {
    this.log = document.createElement("ol");
    this.log.className = "log";
    this.items = []; // [frame, list item]
    let numbered = null;
    game.frames.forEach((frame, number) => {
      const line = frame.lines[VIEWS.indexOf(this.name)];
      if (line === null) return;
      const item = this.logItem(line, frame, frame.number === numbered ? "" : frame.number);
      numbered = frame.number;
      item.addEventListener("click", () => show(number));
      this.log.append(item);
      this.items.push([number, item]);
    });
    section.append(this.log);
  }

  logItem(line, frame, number) {
    const item = document.createElement("li"), gutter = document.createElement("i"), words = document.createElement("span");
    gutter.textContent = number;
    const [tried, ...said] = line.split(" · ");
    if (said.length) {
      const bold = document.createElement("b");
      bold.textContent = tried;
      words.append(bold, ` · ${said.join(" · ")}`);
    } else words.textContent = line;
    item.append(gutter, words);
    if (frame.refused) item.classList.add("refused");
    return item;
  }

  corner(square) {
    const file = square & 7, rank = square >> 3;
    return this.turned ? [SIDE * (7 - file), SIDE * rank] : [SIDE * file, SIDE * (7 - rank)];
  }

  centre(square) {
    const [x, y] = this.corner(square);
    return [x + SIDE / 2, y + SIDE / 2];
  }

  text(parent, x, y, words, attributes) {
    element("text", { x, y, ...attributes }, parent).textContent = words;
  }

  draw(number) {
    const state = this.states[number];
    const heat = $("heat").checked && state.age !== undefined;
    for (const part of this.scale.querySelectorAll(".ages")) part.style.visibility = heat ? "visible" : "hidden";
    this.turn.textContent = state.status;
    this.turn.classList.toggle("now", state.to_play === this.name);
    this.marks.replaceChildren();
    const check = new Set(state.check), targets = new Set(state.refused.map((move) => move[1]));
    for (let square = 0; square < 64; square++) this.drawSquare(state, square, heat, check, targets);
    if (state.king !== null) {
      const [x, y] = this.centre(state.king);
      element("circle", { cx: x, cy: y, r: 20, fill: "#e5352b", opacity: 0.75 }, this.marks);
    }
    for (const [square, man] of state.men) {
      const [x, y] = this.corner(square);
      element("use", { href: `#${man}`, transform: `translate(${x} ${y})` }, this.marks);
    }
    this.drawMarks(state);
    this.drawLog(number);
  }

  drawSquare(state, square, heat, check, targets) {
    const light = isLight(square);
    const moved = state.last !== null && state.last.includes(square);
    let fill = game.board[(light ? "light" : "dark") + (moved ? " lastmove" : "")];
    const age = heat ? state.age[square] : 0;
    if (check.has(square)) fill = light ? "#e39a8e" : "#d18471";
    else if (age) {
      fill = ageColour(age);
      if (!targets.has(square)) {
        const [x, y] = this.centre(square);
        this.text(this.marks, x, y + 4, age, { fill: age > 10 ? "#fff" : "#22282f" });
      }
      if (!light) fill = `color-mix(in srgb, ${fill} 91%, #000)`;
    }
    this.squares[square].style.fill = fill;
  }

  drawMarks(state) {
    for (const square of state.captures) {
      const [x, y] = this.corner(square);
      element("rect", { x: x + 2, y: y + 2, width: 41, height: 41, rx: 4, fill: "none", stroke: "#d9730d", "stroke-width": 3.5 }, this.marks);
    }
    for (const square of state.tries) {
      const [x, y] = this.corner(square);
      element("circle", { cx: x + 37, cy: y + 8, r: 4.5, fill: "#2f855a", stroke: "#fff" }, this.marks);
    }
    for (const [from, to] of state.refused) this.drawRefused(this.centre(from), this.centre(to));
  }

  drawRefused([x1, y1], [x2, y2]) {
    const start = 17 / Math.hypot(x2 - x1, y2 - y1);
    const line = `M${x1 + start * (x2 - x1)} ${y1 + start * (y2 - y1)}L${x2} ${y2}`;
    const cross = `M${x2 - 7} ${y2 - 7}l14 14m0 -14l-14 14`;
    const group = element("g", { fill: "none", "stroke-linecap": "round" }, this.marks);
    element("path", { d: line + cross, stroke: "#fff", "stroke-width": 6 }, group);
    element("path", { d: line, stroke: "#c8372d", "stroke-width": 3, "stroke-dasharray": "1 6" }, group);
    element("path", { d: cross, stroke: "#c8372d", "stroke-width": 4 }, group);
  }

  drawLog(number) {
    let latest = null;
    for (const [frame, item] of this.items) {
      item.classList.toggle("later", frame > number);
      item.classList.remove("now");
      if (frame <= number) latest = item;
    }
    if (!latest) return;
    latest.classList.add("now");
    const top = latest.offsetTop - this.log.offsetTop;
    this.log.scrollTop = top - this.log.clientHeight + latest.offsetHeight + 24;
  }
}

// ---- stepping

const views = [...document.querySelectorAll(".view")].map((section) => new View(section));
const end = game.frames.length - 1;
let current = 0, timer = null;

function show(number) {
  current = Math.max(0, Math.min(end, number));
  for (const view of views) view.draw(current);
  $("slider").value = current;
  $("count").textContent = `Try ${current} of ${end}`;
  try { history.replaceState(null, "", `#${current}`); } catch { /* a page inside another may not */ }
  if (current === end) pause();
}

function move(direction) {
  let number = current + direction;
  while (number > 0 && number < end && !game.frames[number].moved) number += direction;
  show(number);
}

function pause() {
  clearInterval(timer);
  timer = null;
  document.body.classList.remove("playing");
}

function play() {
  if (timer !== null) return pause();
  if (current === end) show(0);
  document.body.classList.add("playing");
  timer = setInterval(() => show(current + 1), +$("speed").value);
}

function restart() {
  if (timer === null) return;
  pause();
  play();
}

function drawEvents() {
  const events = $("events");
  events.setAttribute("viewBox", `0 0 ${Math.max(end, 1)} 10`);
  const colours = { capture: "var(--capture)", check: "var(--alert)", refused: "var(--rule)" };
  const width = Math.max(end, 1) / 700;
  game.frames.forEach((frame, number) => {
    const kind = frame.refused ? "refused" : frame.check ? "check" : frame.captured ? "capture" : null;
    if (!kind) return;
    const height = kind === "refused" ? 4 : 9;
    element("rect", { x: number - width, y: 10 - height, width: 2 * width, height, fill: colours[kind] }, events);
  });
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

const KEYS = {
  ArrowLeft: () => show(current - 1), ArrowRight: () => show(current + 1),
  ArrowUp: () => move(-1), ArrowDown: () => move(1),
  Home: () => show(0), End: () => show(end), " ": play,
  a: () => $("heat").click(), f: () => $("flip").click(), t: toggleTheme,
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  if (event.key === " " && event.target.tagName === "BUTTON") return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
$("first").addEventListener("click", () => show(0));
$("back").addEventListener("click", () => show(current - 1));
$("play").addEventListener("click", play);
$("next").addEventListener("click", () => show(current + 1));
$("last").addEventListener("click", () => show(end));
$("speed").addEventListener("change", restart);
$("theme").addEventListener("click", toggleTheme);
$("slider").max = end;
$("slider").addEventListener("input", (event) => show(+event.target.value));
$("heat").addEventListener("change", () => show(current));
$("flip").addEventListener("change", () => { for (const view of views) view.place(); show(current); });
addEventListener("hashchange", () => show(parseInt(location.hash.slice(1), 10) || 0));
drawEvents();
show(parseInt(location.hash.slice(1), 10) || 0);
