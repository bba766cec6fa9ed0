"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const VIEWS = ["referee", "white", "black"];
const SVG = "http://www.w3.org/2000/svg";
const SIDE = 45, NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const KINDS = Object.values(NAMES); // by kind less 1
const FIRST = VIEWS.map((view) => game.frames[0].views[view]);
const AGES = FIRST.some((state) => state.ages !== undefined); // there are ages to draw
const LEGEND = new Map(FIRST.flatMap((state) => state.legend)); // sample by words
const $ = (id) => document.getElementById(id);

function element(tag, attributes, parent) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (parent) parent.append(made);
  return made;
}

// ---- the states: every frame tells only what changed since the one before

function unfold(view, states, frames) {
  let state = states.at(-1) ?? {};
  for (const frame of frames) {
    const change = frame.views[view];
    if (Object.keys(change).length) {
      state = { ...state, ...change };
      if (change.board !== undefined) state.men = men(change.board);
      if (change.ages !== undefined) state.age = bytes(change.ages);
      if (change.predicted !== undefined) state.likely = likely(bytes(change.predicted));
      if (change.belief) state.believed = changed(state.believed, bytes(change.belief));
    }
    states.push(state);
  }
}

const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

// A metaposition: by square, which kinds may be there (bit 0: none) and the age. See belief_data.py.
function changed(before, told) {
  const kinds = before ? before.kinds.slice() : new Uint8Array(64);
  const age = before ? before.age.slice() : new Uint8Array(64);
  if (told[0]) for (let square = 0; square < 64; square++) age[square] += age[square] > 0 && age[square] < 255;
  for (let i = 1; i < told.length; i += 3) {
    kinds[told[i]] = told[i + 1];
    age[told[i]] = told[i + 2];
  }
  return { kinds, age };
}

// What is predicted: by square, [sort, chance] of the men likely enough to be drawn. See predicted.py.
const SORTS = ["king", "pawn", "piece"];
function likely(told) {
  const men = Array.from({ length: 64 }, () => []);
  for (let i = 0; i < told.length; i += 2) men[told[i] & 63].push([told[i] >> 6, told[i + 1] / 255]);
  return men;
}

const ghostsOn = (belief, square) => [1, 2, 3, 4, 5, 6].filter((kind) => (belief.kinds[square] >> kind) & 1);
const isTaken = (belief, square) => belief.kinds[square] > 1 && !(belief.kinds[square] & 1);
const squaresOf = (belief, kind) => belief.kinds.reduce((count, kinds) => count + ((kinds >> kind) & 1), 0);

// How strongly a ghost is drawn: the more squares a man of its kind may be on, the less.
function opacities(state) {
  const [least, most] = game.ghosts.opacity;
  return state.most.map((men, kind) => {
    const squares = kind ? squaresOf(state.believed, kind) : 0;
    return least + (most - least) * Math.sqrt(squares ? Math.min(1, men / squares) : 0);
  });
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

function ageColour(age, stops = game.scale) {
  const top = stops[stops.length - 1][0];
  const value = Math.max(stops[0][0], Math.min(age, top));
  for (let i = 1; i < stops.length; i++) {
    const [low, first] = stops[i - 1], [high, second] = stops[i];
    if (value <= high) return mix(first, second, (value - low) / (high - low));
  }
  return stops[stops.length - 1][1];
}

const isLight = (square) => ((square & 7) + (square >> 3)) % 2 === 1;

const bar = (stops) => `linear-gradient(90deg,${stops.map(([age, colour]) => `${colour} ${(100 * (age - 1)) / 29}%`).join(",")})`;
const nameOf = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);
const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// ---- one view: a board, its scale, what stands on a square, and what was heard

class View {
  constructor(section) {
    this.name = section.dataset.view;
    this.states = [];
    this.items = []; // [frame, list item]
    section.innerHTML = `<h2><span class="disc ${this.name}"></span><span class="title"></span><span class="turn"></span></h2>`;
    this.section = section;
    this.turn = section.querySelector(".turn");
    this.opponent = this.name === "white" ? "black" : "white";
    this.svg = element("svg", { viewBox: "-16 0 377 377", class: "board", tabindex: 0, role: "application", "aria-roledescription": "board" }, section);
    this.ground = element("g", { "shape-rendering": "crispEdges" }, this.svg);
    this.squares = [];
    for (let square = 0; square < 64; square++) {
      this.squares.push(element("rect", { width: SIDE, height: SIDE }, this.ground));
    }
    element("path", { d: "M0 0H360V360H0z", fill: "none", stroke: "var(--muted)" }, this.svg);
    this.coordinates = element("g", {}, this.svg);
    this.marks = element("g", {}, this.svg);
    this.cursor = element("rect", { class: "cursor", width: SIDE - 3, height: SIDE - 3, rx: 3, visibility: "hidden" }, this.svg);
    this.scale = this.makeScale(section);
    this.look = document.createElement("p");
    this.look.className = "look";
    section.append(this.look);
    this.square = null;
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerdown", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.lookAt(null); });
    this.svg.addEventListener("keydown", (event) => this.walk(event));
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
    scale.innerHTML = `<span class="ages">1</span><span class="bar ages"></span>
      <span class="ages">30+ turns unseen</span><span class="mark"><span><i style="color:var(--capture)">▢</i> capture</span>
      <span><i style="color:var(--alert)">✕</i> refused</span></span>`;
    section.append(scale);
    if (game.ghosts) section.append(this.makeKey());
    const entries = [...LEGEND].map(([words, sample]) => `<span><i class="sample ${sample}"></i> ${words}</span>`);
    if (entries.length) scale.insertAdjacentHTML("afterbegin", `<span class="mark legend">${entries.join("")}</span>`);
    if (!AGES) for (const part of scale.querySelectorAll(".ages")) part.hidden = true;
    return scale;
  }

  // What is drawn how, as little squares.
  makeKey() {
    const key = document.createElement("div");
    key.className = "key";
    const entries = [
      ["may be here", [4], 0.5, 12, false], ["one is here", [3, 5], 1, 12, true],
      ["is here", [5], 1, 12, false], ["empty", [], 1, 0, false],
    ];
    for (const [words, kinds, opacity, age, taken] of this.name === "referee" ? [] : entries) {
      const svg = element("svg", { viewBox: "0 0 45 45", "aria-hidden": true });
      element("rect", { width: 45, height: 45, fill: age ? ageColour(age, game.ghosts.scale) : game.board.light }, svg);
      this.drawMen(svg, kinds, 0, 0, kinds.map(() => opacity), opacity === 1 && kinds.length === 1);
      if (taken) this.drawBrackets(svg, 0, 0);
      const entry = document.createElement("span");
      entry.append(svg, words);
      key.append(entry);
    }
    if (this.name !== "referee") key.insertAdjacentHTML("beforeend", '<span class="true"><i></i>truth</span>');
    return key;
  }

  makeLog(section) {
    this.log = document.createElement("ol");
    this.log.className = "log";
    this.log.tabIndex = 0;
    this.log.setAttribute("aria-label", "What was heard");
    this.numbered = null;
    section.append(this.log);
    this.add(game.frames);
  }

  // Frames after those that are there.
  add(frames) {
    const first = this.states.length;
    unfold(this.name, this.states, frames);
    frames.forEach((frame, i) => {
      const line = frame.lines[VIEWS.indexOf(this.name)];
      if (line === null) return;
      const item = this.logItem(line, frame, frame.number === this.numbered ? "" : frame.number);
      this.numbered = frame.number;
      item.addEventListener("click", () => show(first + i));
      this.log.append(item);
      this.items.push([first + i, item]);
    });
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
    if (frame.lost) item.classList.add("lost");
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
    this.state = state;
    this.sets = $("errors").checked && state.guess?.length > 0; // a person's own ghosts are looked at
    this.believes = $("ghosts").checked && state.believed !== undefined && !this.sets;
    this.predicts = this.believes && $("predicted").checked && state.likely !== undefined;
    const heat = $("heat").checked && state.age !== undefined;
    this.label();
    for (const part of this.scale.querySelectorAll(".ages")) part.style.visibility = heat ? "visible" : "hidden";
    this.scale.querySelector(".bar").style.background = bar(this.believes ? game.ghosts.scale : game.scale);
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
    this.drawMarks(state, number);
    drawErrors(this, state, number);
    this.drawLog(number);
    this.say();
  }

  label() {
    const who = this.name === "white" ? "White" : "Black";
    const title = this.name === "referee" ? "Referee" : this.sets ? `${who}’s own ghosts` : this.predicts ? `${who} is predicted` : this.believes ? `${who} believes` : `${who}’s view`;
    this.section.querySelector(".title").textContent = title;
    this.section.setAttribute("aria-label", title);
    this.svg.setAttribute("aria-label", `${title}. Shift and an arrow key look at a square.`);
    document.querySelector(`.tabs [data-view=${this.name}]`).lastChild.textContent = title;
  }

  // ---- ghosts

  drawGhosts(state, number) {
    const shown = opacities(state);
    for (let square = 0; square < 64; square++) {
      const kinds = ghostsOn(state.believed, square), taken = isTaken(state.believed, square);
      if (!kinds.length) continue;
      const [x, y] = this.corner(square), sure = taken && kinds.length === 1;
      this.drawMen(this.marks, kinds, x, y, kinds.map((kind) => (taken ? 1 : shown[kind])), sure);
      if (taken && !sure) this.drawBrackets(this.marks, x, y);
    }
    if ($("truth").checked) this.drawTruth(state, number);
  }

  drawPredicted(state) {
    state.likely.forEach((men, square) => {
      const [x, y] = this.corner(square);
      men.forEach(([sort, chance], i) => {
        const [scale, across, down] = this.placeOf(men, i, men.length === 1 && chance > 0.99);
        const left = x + SIDE * (across - scale / 2), top = y + SIDE * (down - scale / 2);
        const shape = { class: "predicted", opacity: chance, transform: `translate(${left} ${top}) scale(${scale})` };
        if (sort < 2) element("use", { href: `#${this.opponent}-${SORTS[sort]}`, ...shape }, this.marks);
        else element("circle", { cx: 22.5, cy: 22.5, r: 13, fill: this.opponent === "white" ? "#fff" : "#22282f", stroke: "#22282f", "stroke-width": 1.5, ...shape }, this.marks);
      });
    });
  }

  drawMen(parent, kinds, x, y, shown, sure) {
    kinds.forEach((kind, i) => {
      const [scale, across, down] = this.placeOf(kinds, i, sure);
      const left = x + SIDE * (across - scale / 2), top = y + SIDE * (down - scale / 2);
      element("use", { href: `#${this.opponent}-${KINDS[kind - 1]}`, opacity: shown[i], transform: `translate(${left} ${top}) scale(${scale})` }, parent);
    });
  }

  // Scale of the i-th of these men in a square, and its centre as shares of the square's side.
  placeOf(kinds, i, sure) {
    if (sure) return [1, 0.5, 0.5];
    const [scale, places] = game.ghosts.places[kinds.length];
    return [scale, ...places[i]];
  }

  drawBrackets(parent, x, y) {
    const a = 2, b = SIDE - 2, arm = 9;
    const corner = (cx, cy, dx, dy) => `M${x + cx + dx * arm} ${y + cy}H${x + cx}V${y + cy + dy * arm}`;
    const path = corner(a, a, 1, 1) + corner(b, a, -1, 1) + corner(a, b, 1, -1) + corner(b, b, -1, -1);
    element("path", { d: path, fill: "none", stroke: "#22282f", "stroke-width": 2.25 }, parent);
  }

  drawTruth(state, number) {
    for (const [square, man] of views[0].states[number].men) {
      if (!man.startsWith(this.opponent)) continue;
      const kind = KINDS.indexOf(man.slice(6)) + 1, kinds = ghostsOn(state.believed, square);
      if (!kinds.includes(kind)) continue;
      const sure = isTaken(state.believed, square) && kinds.length === 1;
      const [scale, across, down] = this.placeOf(kinds, kinds.indexOf(kind), sure), [x, y] = this.corner(square);
      element("circle", { class: "truth", cx: x + across * SIDE, cy: y + down * SIDE, r: 22 * scale }, this.marks);
    }
  }

  // ---- looking at one square

  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const across = Math.floor(at.x / SIDE), down = Math.floor(at.y / SIDE);
    if (across < 0 || across > 7 || down < 0 || down > 7) return this.lookAt(null);
    this.look.removeAttribute("aria-live");
    this.lookAt(this.turned ? 7 - across + 8 * down : across + 8 * (7 - down));
  }

  walk(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.key === "Escape") return this.lookAt(null);
    if (!event.shiftKey || !steps[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    const sign = this.turned ? -1 : 1, from = this.square ?? 28;
    const [across, up] = steps[event.key].map((step) => sign * step);
    const clip = (value) => Math.max(0, Math.min(7, value));
    this.look.setAttribute("aria-live", "polite");
    this.lookAt(clip((from & 7) + across) + 8 * clip((from >> 3) + up));
  }

  lookAt(square) {
    this.square = square;
    this.say();
  }

  say() {
    this.look.textContent = this.square === null ? this.summary() : this.describe(this.square);
    this.cursor.setAttribute("visibility", this.square === null ? "hidden" : "visible");
    if (this.square === null) return;
    const [x, y] = this.corner(this.square);
    this.cursor.setAttribute("x", x + 1.5);
    this.cursor.setAttribute("y", y + 1.5);
  }

  summary() {
    if (!this.believes) return this.state.note;
    const kings = [...Array(64).keys()].filter((square) => ghostsOn(this.state.believed, square).includes(6));
    const king = kings.length === 1 ? nameOf(kings[0]) : `one of ${kings.length} squares`;
    const men = plural(this.state.most[0], `${this.opponent} man`).replace("mans", "men");
    return `${men} left, the king on ${king} · entropy ${this.state.entropy.toFixed(1)}`;
  }

  describe(square) {
    const state = this.state, name = nameOf(square), [man, mark] = [state.men, state.marks].map((all) => all.find(([at]) => at === square));
    if (man) return `${name}: ${[man[1].replace("-", " "), ...(mark ? [mark[3]] : [])].join(", ")}`;
    if (!this.believes) {
      const words = [state.shaded.includes(square) ? state.shade_words : state.empty_words];
      if (state.age) words.push(`${plural(state.age[square], "turn")} unseen`);
      return `${name}: ${words.filter(Boolean).join(" · ")}`;
    }
    const belief = state.believed, kinds = ghostsOn(belief, square).map((kind) => KINDS[kind - 1]);
    if (!kinds.length) return `${name}: surely empty`;
    if (this.predicts) {
      const men = state.likely[square].map(([sort, chance]) => `${SORTS[sort]} ${Math.round(100 * chance)} %`);
      return `${name}: ${men.join(", ") || "hardly a man"} · ${plural(belief.age[square], "turn")} unseen`;
    }
    const what = isTaken(belief, square) ? `surely ${listed(kinds)}` : `${listed(kinds)}, or empty`;
    return `${name}: ${what} · ${plural(belief.age[square], "turn")} unseen`;
  }

  drawRings(state) {
    for (const [square, number, whole] of state.marks) {
      const [x, y] = this.corner(square);
      element("circle", { class: "marked-man", cx: x + 22.5, cy: y + 22.5, r: 20.5, "stroke-dasharray": whole ? "none" : "5 3.5" }, this.marks);
      element("circle", { class: "badge", cx: x + 37.5, cy: y + 7.5, r: 6.5 }, this.marks);
      this.text(this.marks, x + 37.5, y + 10.8, number, { class: "number" });
    }
  }

  drawSquare(state, square, heat, check, targets) {
    const light = isLight(square);
    const moved = state.last !== null && state.last.includes(square);
    let fill = game.board[(light ? "light" : "dark") + (moved ? " lastmove" : "")];
    const age = heat ? (this.believes ? state.believed.age : state.age)[square] : 0;
    if (check.has(square)) fill = light ? "#e39a8e" : "#d18471";
    else if (age) {
      fill = ageColour(age, this.believes ? game.ghosts.scale : game.scale);
      if (!this.believes && !targets.has(square)) {
        const [x, y] = this.centre(square);
        this.text(this.marks, x, y + 4, age, { fill: age > 10 ? "#fff" : "#22282f" });
      }
      if (!light) fill = `color-mix(in srgb, ${fill} 91%, #000)`;
    }
    this.squares[square].style.fill = fill;
    if (state.shaded.includes(square)) {
      const [x, y] = this.corner(square);
      element("rect", { class: "shade", x, y, width: SIDE, height: SIDE }, this.marks);
    }
  }

  drawMarks(state, number) {
    for (const square of state.captures) {
      const [x, y] = this.corner(square);
      element("rect", { x: x + 2, y: y + 2, width: 41, height: 41, rx: 4, fill: "none", stroke: "#d9730d", "stroke-width": 3.5 }, this.marks);
    }
    if (this.predicts) this.drawPredicted(state);
    else if (this.believes) this.drawGhosts(state, number);
    this.drawRings(state);
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
let end = game.frames.length - 1, current = 0, timer = null;

function choose(view) {
  document.querySelector("main").dataset.tab = view;
  for (const tab of document.querySelectorAll(".tabs button")) tab.setAttribute("aria-pressed", tab.dataset.view === view);
  show(current);
}

function show(number) {
  current = Math.max(0, Math.min(end, number));
  for (const view of views) view.draw(current);
  $("slider").value = current;
  $("count").textContent = `Try ${current} of ${end}`;
  try { history.replaceState(null, "", `#${current}`); } catch { /* a page inside another may not */ }
  study.show(current);
  if (current === end && !study.awaits) pause();
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
  if (current === end && !study.awaits) show(0);
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
  events.replaceChildren();
  events.setAttribute("viewBox", `0 0 ${Math.max(end, 1)} 10`);
  const colours = { capture: "var(--capture)", check: "var(--alert)", refused: "var(--rule)", lost: "var(--lost)" };
  const width = Math.max(end, 1) / 700;
  game.frames.forEach((frame, number) => {
    const kind = frame.refused ? "refused" : frame.lost ? "lost" : frame.check ? "check" : frame.captured ? "capture" : null;
    if (!kind) return;
    const height = kind === "refused" ? 4 : 9;
    element("rect", { x: number - width, y: 10 - height, width: 2 * width, height, fill: colours[kind] }, events);
  });
}

// Ghosts or ages; the truth is shown under ghosts only.
function believe() {
  document.body.classList.toggle("believes", $("ghosts").checked);
  document.body.classList.toggle("told", $("ghosts").checked && $("truth").checked);
  $("truth").disabled = !$("ghosts").checked;
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  study.keep?.(root.dataset.theme);
}

const KEYS = {
  ArrowLeft: () => show(current - 1), ArrowRight: () => show(current + 1),
  ArrowUp: () => move(-1), ArrowDown: () => move(1),
  Home: () => show(0), End: () => show(end), " ": play,
  a: () => $("heat").click(), g: () => $("ghosts").click(), x: () => $("truth").click(), p: () => $("predicted").click(),
  1: () => choose("referee"), 2: () => choose("white"), 3: () => choose("black"), e: () => $("errors").click(), t: toggleTheme,
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
$("truth").addEventListener("change", () => { believe(); show(current); });
$("ghosts").addEventListener("change", () => { believe(); show(current); });
$("predicted").addEventListener("change", () => { believe(); show(current); });
for (const tab of document.querySelectorAll(".tabs button")) tab.addEventListener("click", () => choose(tab.dataset.view));
$("flip").addEventListener("change", () => { for (const view of views) view.place(); show(current); });
addEventListener("hashchange", () => show(parseInt(location.hash.slice(1), 10) || 0));
if (!game.ghosts) {
  $("ghosts").checked = false;
  for (const option of document.querySelectorAll(".believing")) option.hidden = true;
}
if (game.frames[0].views.white.predicted === undefined) {
  for (const option of document.querySelectorAll(".predicting")) option.hidden = true;
}
if (!AGES) for (const part of document.querySelectorAll(".aging")) part.hidden = true;
