// The text of a try. What a pawn becomes is asked for where it was not said; empty if it is not to move.
import { $, NAMES, nameOf } from "./common.js";

export async function textOf(man, from, to, becomes = "") {
  const asks = !becomes && man?.endsWith("pawn") && (to >> 3) % 7 === 0;
  const kind = asks ? await promotion(man.split("-")[0]) : becomes;
  return asks && !kind ? "" : nameOf(from) + nameOf(to) + kind;
}

function promotion(colour) {
  const dialog = $("promotion");
  $("kinds").replaceChildren(...["q", "n", "r", "b"].map((letter) => {
    const button = document.createElement("button"), picture = document.createElement("img");
    picture.src = `/pieces/${colour}-${NAMES[letter]}.svg`;
    picture.alt = NAMES[letter];
    button.type = "button";
    button.value = letter;
    button.append(picture);
    button.addEventListener("click", () => dialog.close(letter));
    return button;
  }));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}
