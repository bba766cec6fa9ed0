// ---- where beliefs were wrong, how entropy ran, what a player would try

const COLOURS = ["white", "black"];
const names = (squares) => squares.map(nameOf).join(", ") || "none";

// A person's own ghosts; crosses on what was believed and is not so; rings around men that were not believed there.
function drawErrors(view, state, number) {
  for (const [square, kind] of view.sets ? state.guess : []) {
    const [x, y] = view.corner(square);
    element("use", { class: "guess", href: `#${view.opponent}-${KINDS[kind - 1]}`, transform: `translate(${x + 4} ${y + 4}) scale(.82)` }, view.marks);
  }
  const wrong = view.sets ? state.misplaced : view.predicts ? state.wrong : null;
  if (!wrong || !$("errors").checked) return;
  const men = new Map(views[0].states[number].men);
  for (const square of wrong.missed) {
    const [x, y] = view.corner(square), man = men.get(square);
    if (man?.startsWith(view.opponent)) element("use", { class: "missed-man", href: `#${man}`, transform: `translate(${x + 11} ${y + 11}) scale(.5)` }, view.marks);
    element("circle", { class: "missed", cx: x + 22.5, cy: y + 22.5, r: 14 }, view.marks);
  }
  for (const square of wrong.thought) {
    const [x, y] = view.corner(square);
    element("path", { class: "thought", d: `M${x + 6} ${y + 6}L${x + 39} ${y + 39}M${x + 39} ${y + 6}L${x + 6} ${y + 39}` }, view.marks);
  }
}

class Study {
  constructor() {
    this.awaits = Boolean(game.live);
    this.explained = game.explained ?? {};
    this.asking = false;
    const first = game.frames[0].views.white;
    $("course").hidden = first.entropy === undefined;
    this.judges = COLOURS.some((view) => game.frames[0].views[view].wrong ?? game.frames[0].views[view].guess);
    $("wrong").hidden = $("errors-label").hidden = !this.judges;
    $("why").hidden = !game.ask && !Object.keys(this.explained).length;
    const parts = ["course", "wrong", "why"].filter((id) => !$(id).hidden);
    $("study-label").hidden = !parts.length;
    $("studying").checked = this.judges || !$("why").hidden;
    this.fold();
    $("asking").hidden = !game.ask;
    for (const name of game.players ?? []) $("asked").append(new Option(name, name));
    for (const [words, address] of game.links ?? []) this.link(words, address);
    $("studying").addEventListener("change", () => this.fold());
    $("errors").addEventListener("change", () => show(current));
    $("ask").addEventListener("click", () => this.ask());
    $("asked").addEventListener("change", () => this.because());
    $("curve").addEventListener("click", (event) => {
      const box = $("curve").getBoundingClientRect();
      show(Math.round(((event.clientX - box.left) / box.width) * end));
    });
    this.dress?.();
    this.draw();
  }

  fold() {
    const open = $("studying").checked && !$("study-label").hidden;
    $("study").hidden = !open;
    document.body.classList.toggle("studies", open);
  }

  link(words, address) {
    const made = document.createElement("a");
    made.href = address;
    made.textContent = words;
    $("links").append(" · ", made);
  }

  // The curves of entropy, drawn whole.
  draw() {
    if ($("course").hidden) return;
    const curves = COLOURS.map((_, i) => views[1 + i].states.map((state) => state.entropy));
    this.top = Math.max(1, ...curves.flat());
    $("curve").replaceChildren();
    curves.forEach((curve, i) => {
      const points = curve.map((value, x) => `${((600 * x) / Math.max(end, 1)).toFixed(1)},${(98 - (95 * value) / this.top).toFixed(1)}`);
      element("polyline", { class: COLOURS[i], points: points.join(" ") }, $("curve"));
    });
    this.line = element("path", { class: "now" }, $("curve"));
  }

  show(number) {
    if (!$("course").hidden) {
      const x = (600 * number) / Math.max(end, 1);
      this.line.setAttribute("d", `M${x} 0V100`);
      $("course-now").textContent = COLOURS.map((_, i) => views[1 + i].states[number].entropy.toFixed(1)).join(" and ");
    }
    if (this.judges) this.judge(number);
    this.because();
    this.finish?.();
    this.extend?.();
  }

  judge(number) {
    const parts = COLOURS.flatMap((colour, i) => {
      const state = views[1 + i].states[number], who = i ? "Black" : "White";
      const told = [];
      if (state.wrong) told.push([`${who} as predicted`, state.wrong]);
      if (state.guess?.length) told.push([`${who}’s own ghosts`, state.misplaced]);
      return told.flatMap(([title, { thought, missed }]) => {
        const term = document.createElement("dt"), words = document.createElement("dd");
        term.textContent = title;
        words.textContent = `believed, not so: ${names(thought)} · not believed: ${names(missed)}`;
        return [term, words];
      });
    });
    $("wrong-list").replaceChildren(...parts);
  }

  // ---- why

  because() {
    if ($("why").hidden) return;
    const answers = (this.explained[current + 1] ?? []).filter(({ player }) => !game.ask || player === $("asked").value);
    $("ask").disabled = this.asking || (current === end && !game.broken);
    if (this.asking) $("because").textContent = "Thinking …";
    else $("because").replaceChildren(...answers.flatMap((answer) => this.answer(answer)));
  }

  answer({ player, error, chosen, reason, tries }) {
    const words = document.createElement("p");
    if (error) {
      words.className = "fault";
      words.textContent = `${player}: ${error}`;
      return [words];
    }
    const bold = document.createElement("b");
    bold.textContent = chosen;
    words.append(`${player} would try `, bold, ` · by its ${reason}`);
    if (!tries.length) return [words];
    return [words, this.compare(tries)];
  }

  // A column for each try: there are few of them, and many components.
  compare(tries) {
    const table = document.createElement("table"), body = table.createTBody();
    const shown = (number) => (number === undefined ? "" : +number.toPrecision(3));
    const parts = [...new Set(tries.flatMap((each) => Object.keys(each.components)))];
    const row = (title, kind, tell, place = body) => {
      const made = place.insertRow();
      made.className = kind;
      [title, ...tries.map(tell)].forEach((text, i) => {
        const heading = i === 0 || kind === "tried", cell = document.createElement(heading ? "th" : "td");
        if (heading) cell.scope = i ? "col" : "row";
        cell.textContent = text;
        made.append(cell);
      });
    };
    row("try", "tried", ({ text }) => text, table.createTHead());
    row("value", "value", ({ value }) => shown(value));
    row("assumed line", "line", ({ line }) => line.join(" … "));
    for (const part of parts) row(part, "part", ({ components }) => shown(components[part]));
    return table;
  }
}

if (typeof served !== "undefined") Object.assign(Study.prototype, served); // see served.js
const study = new Study();
drawEvents();
believe();
if (game.live) play();
show(parseInt(location.hash.slice(1), 10) || 0);
