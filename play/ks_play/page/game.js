// The page of a seat: what the server tells it is drawn, what the person does is sent.
import { $, read, recent, remember, rulesName, theme, write } from "./common.js";
import { Board, menOf } from "./board.js";
import { Seat } from "./seat.js";
import { Ghosts } from "./ghosts.js";
import { Clocks } from "./clocks.js";
import { showRating } from "./levels.js";
import { textOf } from "./promotion.js";
import { readTry } from "./typed.js";
import { Past } from "./past.js";

let token = location.hash.slice(1), about = null, state = null, lines = 0, pending = null, rated = false;
const board = new Board($("board"), { choose: attempt, ghost: (square, from) => ghosts.put(square, from) });
const ghosts = new Ghosts($("palette"), () => { sendGhosts(); draw(); }, () => lines);
const clocks = new Clocks();
const seat = new Seat({ about: sit, told: hear, belief: believe, came, draw: offered, past: (message) => past.show(message), fault: complain, linked });
const past = new Past((at) => seat.send({ type: "look", at }), draw);

// ---- what is told

function sit(message) {
  about = message;
  lines = 0;
  $("heard").replaceChildren();
  const white = about.colour === "white", other = about.names[white ? 1 : 0];
  document.title = `${about.title} against ${other}`;
  $("title").textContent = about.rules === about.game.toLowerCase() || !about.metaposition ? about.title : `${about.title} · ${rulesName(about.rules)} rules`;
  $("my-disc").className = `disc ${about.colour}`;
  $("their-disc").className = `disc ${white ? "black" : "white"}`;
  $("their-name").textContent = other;
  $("believe-label").hidden = $("ages-label").hidden = !about.metaposition;
  const invitation = recent().find((game) => game.seat === token)?.invitation;
  $("invite").hidden = true;
  if (about.awaited && invitation) invite(invitation);
  clocks.begin(about.colour);
  past.begin();
  board.turn(about.colour);
  ghosts.begin(token, white ? "black" : "white");
  if ($("believe").checked) seat.send({ type: "believe", on: true });
}

// The server knows by which name others reach it.
async function invite(code) {
  const { origin } = await (await fetch("/choices")).json();
  $("link").value = `${origin ?? location.origin}/game#join-${code}`;
  $("invite").hidden = !about.awaited;
}

function hear(message) {
  const late = message.since === 0, refusedBefore = state?.asked;
  state = { ...message, men: menOf(message.scene.board), belief: message.belief ?? state?.belief };
  clocks.set(message.clock);
  for (const line of message.lines) addLine(line);
  lines += message.lines.length;
  past.grow(lines);
  pending = null;
  $("fault").textContent = ""; // it was about what stood before
  const latest = message.lines.at(-1);
  if (latest) announce(latest, late);
  ghosts.makeRoom([...state.men.keys()].filter((square) => state.men.get(square).startsWith(about.colour)));
  draw();
  const refused = latest && latest.own && !["moved", "any_yes", "any_no", "lost"].includes(latest.kind);
  if (refused && !late && refusedBefore !== undefined) board.shake(state.scene.refused.at(-1));
}

function addLine({ text, kind, number, own, check, captured }) {
  const item = document.createElement("li"), count = document.createElement("i"), words = document.createElement("span");
  count.textContent = kind === "start" ? "" : number;
  words.textContent = text;
  item.className = [kind, own ? "own" : "theirs", check && "check", captured && "captured"].filter(Boolean).join(" ");
  item.append(count, words);
  $("heard").append(item);
  $("heard").scrollTop = $("heard").scrollHeight;
}

function say(words, refused = false) {
  $("said").textContent = words;
  $("said").classList.toggle("refused", refused);
}

function announce({ text, kind }, late) {
  const words = kind === "start" ? text.replace("Start · ", "") : text;
  say(words, ["illegal", "nonsense"].includes(kind));
  if ($("aloud").checked && !late) speechSynthesis.speak(new SpeechSynthesisUtterance(words.replace(" · ", ", ")));
}

function believe(belief) {
  state = { ...state, belief };
  draw();
}

function came({ clock }) {
  about.awaited = false;
  $("invite").hidden = true;
  $("fault").textContent = "";
  clocks.set(clock);
  draw();
}

function offered({ by, words }) {
  const theirs = by !== null && by !== about.colour;
  $("offered").hidden = !theirs;
  $("offer").disabled = by !== null;
  if (words) say(words);
}

function complain(words, final) {
  pending = null;
  $("fault").textContent = words;
  if (final) none(words);
  draw();
}

// The address opens no seat: nothing of the table is shown.
function none(words) {
  $("here").hidden = $("invite").hidden = true;
  $("none").hidden = false;
  $("why").textContent = `${words[0].toUpperCase()}${words.slice(1)}.`;
}

function linked(up) {
  $("connection").hidden = up;
  $("connection").textContent = up ? "" : "The connection is lost; trying again …";
}

function draw() {
  if (!state) return;
  const { scene, turn, over } = state;
  $("status").textContent = over ? "The game is over" : scene.status;
  $("my-turn").textContent = over ? "" : turn ? "to move" : "";
  $("their-turn").textContent = over ? "" : about.awaited ? "has not come yet" : turn ? "" : about.person ? "to play" : "thinking …";
  document.body.classList.toggle("my-turn", turn);
  document.body.classList.toggle("over", over);
  $("any").hidden = !about.asks;
  $("any").disabled = !state.any;
  $("typing").hidden = over;
  $("resign").hidden = $("offer").hidden = over;
  $("ghosting-label").hidden = over;
  if (over) $("offered").hidden = $("palette").hidden = true;
  if (over) say(scene.status);
  if (over && !rated) {
    rated = true;
    showRating($("rating"));
  }
  $("after").hidden = !over;
  for (const kind of ["replay", "share", "pgn", "json"]) $(kind).href = `/records/${token}/${kind}`;
  const then = past.scene();
  explain(then ?? scene);
  board.draw(then ? { ...state, scene: then, tries: [] } : state, {
    ages: $("ages").checked && about.metaposition, belief: $("believe").checked && !then ? state.belief : null,
    ghosts: then ? ghosts.at(past.at) : ghosts.men, ghosting: $("ghosting").checked && !over && !then, waiting: pending !== null,
  });
}

// What the marks of a scene mean, and what it has to say of men that are nowhere on the board.
function explain({ legend, note }) {
  const entries = legend.map(([words, sample]) => {
    const entry = document.createElement("span"), mark = document.createElement("i");
    mark.className = `sample ${sample}`;
    entry.append(mark, ` ${words}`);
    return entry;
  });
  $("key").replaceChildren(...entries, note);
}

// ---- what is done

// Ghosts go to the server alone, for the analysis after the end.
function sendGhosts() {
  if (state && !state.over) seat.send({ type: "ghosts", men: Object.fromEntries(Object.entries(ghosts.men).map(([square, man]) => [square, man.split("-")[1]])) });
}

async function attempt(from, to, becomes) {
  const text = await textOf(state.men.get(from), from, to, becomes);
  if (text) submit(text);
}

function submit(text) {
  if (!state?.turn) return complain(state?.over ? "The game is over." : "It is not your turn.");
  if (pending) return;
  $("fault").textContent = "";
  past.leave();
  pending = text;
  if (!seat.send({ type: "try", try: text, asked: state.asked })) complain("There is no connection; try again when it is back.");
  draw();
}

function type(typed) {
  if (!state.turn) return submit(typed);
  const read = readTry(typed, about.colour, state.tries, state.men);
  return read ? attempt(...read) : submit("any?");
}

$("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!state || !$("typed").value.trim()) return;
  try {
    type($("typed").value);
    $("typed").value = "";
  } catch (error) {
    complain(error.message);
  }
});
$("any").addEventListener("click", () => submit("any?"));
$("resign").addEventListener("click", () => $("resigning").showModal());
$("no").addEventListener("click", () => $("resigning").close());
$("yes").addEventListener("click", () => { $("resigning").close(); seat.send({ type: "resign" }); });
for (const kind of ["offer", "accept", "decline"]) $(kind).addEventListener("click", () => { $("fault").textContent = ""; seat.send({ type: kind }); });
$("copy").addEventListener("click", () => { $("link").select(); navigator.clipboard?.writeText($("link").value); });
for (const [id, otherwise] of [["ages", true], ["aloud", false], ["believe", false]]) {
  $(id).checked = read(id, otherwise);
  $(id).addEventListener("change", () => { write(id, $(id).checked); draw(); });
}
$("believe").addEventListener("change", () => seat.send({ type: "believe", on: $("believe").checked }));
$("ghosting").addEventListener("change", () => { $("palette").hidden = !$("ghosting").checked; draw(); });
if (!("speechSynthesis" in window)) $("aloud-label").hidden = true;

// ---- the seat of this page

async function join(code) {
  const answer = await fetch("/invitations", { method: "POST", body: JSON.stringify({ invitation: code }) });
  const made = await answer.json();
  if (!answer.ok) return complain(made.error, true);
  token = made.seat;
  remember({ seat: token, what: "by a link", when: Date.now() });
  history.replaceState(null, "", `#${token}`);
  seat.open(token);
}

theme();
addEventListener("hashchange", () => location.reload());
if (token.startsWith("join-")) await join(token.slice(5));
else if (token) seat.open(token);
else none("the address of a game ends with its token");
