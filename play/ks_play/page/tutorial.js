// Ten positions. All tries of a lesson go to the server each time, and it answers with what the seat was told.
import { $, theme } from "./common.js";
import { Board } from "./board.js";
import { textOf } from "./promotion.js";
import { readTry } from "./typed.js";

const board = new Board($("board"), { choose: attempt, ghost: () => {} });
let number = Math.max(1, parseInt(location.hash.slice(1), 10) || 1), tries = [], state = null, lesson = null;

async function show(next) {
  $("fault").textContent = "";
  const answer = await fetch(`/lessons/${number}`, { method: "POST", body: JSON.stringify({ tries: next }) });
  const made = await answer.json();
  if (!answer.ok) return void ($("fault").textContent = made.error);
  [lesson, state, tries] = [made, made.told, next];
  draw();
}

function draw() {
  const { title, task, says, done, lessons } = lesson, latest = state.lines.at(-1);
  $("count").textContent = `Position ${number} of ${lessons}${done ? " · done" : ""}`;
  $("title").textContent = title;
  $("task").textContent = task;
  $("says").textContent = says;
  $("heard-now").textContent = latest ? `The referee: ${latest.text}` : "";
  $("before").disabled = number === 1;
  $("next").textContent = number === lessons ? "Play a game" : "Next";
  $("next").classList.toggle("wanted", done);
  $("typing").hidden = done || state.over;
  $("heard").replaceChildren(...state.lines.map(({ text, kind, own }) => {
    const item = document.createElement("li"), words = document.createElement("span");
    item.className = `${kind} ${own ? "own" : "theirs"}`;
    words.textContent = text;
    item.append(words);
    return item;
  }));
  board.turn("white");
  board.draw(done ? { ...state, tries: [] } : state, { ages: false, belief: null, ghosts: {}, ghosting: false, waiting: false });
  if (latest?.own && latest.kind === "illegal") board.shake(state.scene.refused.at(-1));
}

async function attempt(from, to, becomes) {
  const text = await textOf(board.manOn(from), from, to, becomes);
  if (text) show([...tries, text]);
}

function go(to) {
  number = to;
  history.replaceState(null, "", `#${number}`);
  show([]);
}

$("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!$("typed").value.trim()) return;
  try {
    const read = readTry($("typed").value, "white", state.tries, board.men);
    if (!read) throw new Error("These rules have no “any?”.");
    attempt(...read);
    $("typed").value = "";
  } catch (error) {
    $("fault").textContent = error.message;
  }
});
$("again").addEventListener("click", () => show([]));
$("before").addEventListener("click", () => go(number - 1));
$("next").addEventListener("click", () => { if (number === lesson?.lessons) location.href = "/"; else go(number + 1); });
theme();
show([]);
