// The page on which a game is chosen.
import { $, recent, remember, rulesName, theme } from "./common.js";
import { levels, showRating } from "./levels.js";
import { fillClock, fillOptions, readClock, readOptions } from "./options.js";

const OTHER = " other", PERSON = "person";
let choices;

const game = () => choices.games.find(({ id }) => id === document.querySelector("[name=game]:checked").value);

function tile({ id, name, about }, first) {
  const label = document.createElement("label"), input = document.createElement("input");
  label.className = "tile";
  Object.assign(input, { type: "radio", name: "game", value: id, checked: first });
  const words = document.createElement("span"), title = document.createElement("b"), small = document.createElement("small");
  title.textContent = name;
  small.textContent = about;
  words.append(title, small);
  label.append(input, words);
  input.addEventListener("change", fill);
  return label;
}

function fill() {
  const { rulesets, men } = game();
  $("ruleset").replaceChildren(...rulesets.map((name) => new Option(rulesName(name), name)));
  $("ruleset-field").hidden = rulesets.length < 2;
  $("men-field").hidden = !men;
  fillRules();
}

function fillRules() {
  const { options, players } = game(), ruleset = $("ruleset").value, kept = $("opponent").value;
  fillOptions(options, ruleset);
  const engines = document.createElement("optgroup"), ladder = levels(choices.ladder, game(), ruleset);
  engines.label = "Engines";
  engines.append(...players.map((name) => new Option(name)), new Option("another, by name …", OTHER));
  $("opponent").replaceChildren(new Option("A person, by a link", PERSON), ...ladder, engines);
  $("opponent").value = [...$("opponent").options].some(({ value }) => value === kept) ? kept : players.includes("capture") ? "capture" : players[0];
  showOther();
}

function showOther() {
  $("other-field").hidden = $("opponent").value !== OTHER;
}

async function play(event) {
  event.preventDefault();
  const opponent = $("opponent").value === OTHER ? $("other").value : $("opponent").value;
  const wish = { game: game().id, ruleset: $("ruleset").value, opponent, colour: document.querySelector("[name=colour]:checked").value };
  wish.options = readOptions();
  wish.clock = readClock();
  if (game().men) wish.men = $("men").value;
  if ($("start").value.trim()) wish.start = $("start").value.trim();
  $("fault").textContent = "";
  try {
    const answer = await fetch("/games", { method: "POST", body: JSON.stringify(wish) });
    const made = await answer.json();
    if (!answer.ok) throw new Error(made.error);
    remember({ seat: made.seat, invitation: made.invitation, what: `${game().name} · ${opponent === PERSON ? "a person" : opponent}`, when: Date.now() });
    location.href = `/game#${made.seat}`;
  } catch (error) {
    $("fault").textContent = error.message;
  }
}

function listRecent() {
  const games = recent();
  $("games-here").hidden = !games.length;
  for (const { seat, what, when } of games.slice(0, 8)) {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = `/game#${seat}`;
    link.textContent = `${what} · ${new Date(when).toLocaleString()}`;
    item.append(link);
    $("recent").append(item);
  }
}

theme();
listRecent();
choices = await (await fetch("/choices")).json();
$("games").append(...choices.games.map((each, i) => tile(each, i === 0)));
fillClock();
showRating($("rating"));
$("ruleset").addEventListener("change", fillRules);
$("opponent").addEventListener("change", showOther);
$("wish").addEventListener("submit", play);
// The browser names what is wrong with a number, and shows it only where it can be seen.
$("wish").addEventListener("invalid", () => { $("rules").open = true; }, true);
fill();
