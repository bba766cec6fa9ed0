// The page on which two engines are chosen to be watched, or a tournament.
import { $, rulesName, theme } from "./common.js";

let choices;
const game = () => choices.games.find(({ id }) => id === $("game").value);

function fill() {
  const { rulesets, men, players } = game();
  $("ruleset").replaceChildren(...rulesets.map((name) => new Option(rulesName(name), name)));
  $("ruleset-field").hidden = rulesets.length < 2;
  $("men-field").hidden = !men;
  for (const id of ["white", "black"]) if (!players.includes($(id).value)) $(id).value = players.includes("darkboard") ? "darkboard" : players[0];
  $("players").replaceChildren(...players.map((name) => new Option(name, name)));
}

async function watch(event) {
  event.preventDefault();
  const wish = { game: game().id, ruleset: $("ruleset").value, white: $("white").value.trim(), black: $("black").value.trim() };
  if (game().men) wish.men = $("men").value;
  if ($("start").value.trim()) wish.start = $("start").value.trim();
  $("fault").textContent = "";
  try {
    const answer = await fetch("/watched", { method: "POST", body: JSON.stringify(wish) });
    const made = await answer.json();
    if (!answer.ok) throw new Error(made.error);
    location.href = `/watched/${made.watch}`;
  } catch (error) {
    $("fault").textContent = error.message;
  }
}

async function list() {
  const names = await (await fetch("/studies")).json();
  $("tournaments").hidden = !names.length;
  names.forEach((name, number) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = `/studies/${number}`;
    link.textContent = name;
    item.append(link);
    $("studies").append(item);
  });
}

theme();
$("wish").addEventListener("submit", watch);
$("game").addEventListener("change", fill);
choices = await (await fetch("/choices")).json();
$("game").append(...choices.games.map(({ id, name }) => new Option(name, id)));
fill();
await list();
