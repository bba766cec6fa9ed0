// Options of a game's rules, as the server lists them, and the clock.
import { $ } from "./common.js";

const MINUTES = [1, 3, 5, 10, 15, 30, 60], INCREMENTS = [0, 2, 5, 10, 30];

const words = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");

function field({ name, about, kind, least, most, choices, values }, ruleset) {
  const label = document.createElement("label"), help = document.createElement("small"), value = values[ruleset];
  const input = document.createElement(kind === "choice" ? "select" : "input");
  input.dataset.option = name;
  input.dataset.usual = value;
  help.textContent = about;
  if (kind === "choice") input.append(...choices.map((each) => new Option(each.replaceAll("_", " "), each, false, each === value)));
  else if (kind === "yes") Object.assign(input, { type: "checkbox", checked: value });
  else Object.assign(input, { type: "number", min: least, max: most, value, required: true });
  label.className = `option ${kind}`;
  label.append(...(kind === "yes" ? [input, ` ${words(name)}`] : [words(name), input]), help);
  return label;
}

export function fillOptions(options, ruleset) {
  $("options").replaceChildren(...options.map((option) => field(option, ruleset)));
}

// What differs from the ruleset.
export function readOptions() {
  const found = {};
  for (const input of $("options").querySelectorAll("[data-option]")) {
    const value = input.type === "checkbox" ? input.checked : input.type === "number" ? input.valueAsNumber : input.value;
    if (String(value) !== input.dataset.usual) found[input.dataset.option] = value;
  }
  return found;
}

export function fillClock() {
  $("minutes").append(new Option("none", ""), ...MINUTES.map((each) => new Option(`${each} minute${each > 1 ? "s" : ""} a side`, each)));
  $("increment").append(...INCREMENTS.map((each) => new Option(`${each} seconds`, each)));
  $("minutes").addEventListener("change", () => { $("increment-field").hidden = !$("minutes").value; });
}

export function readClock() {
  return $("minutes").value ? { minutes: +$("minutes").value, increment: +$("increment").value } : null;
}
