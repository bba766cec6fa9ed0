// What a pawn becomes; an empty text if it is not to move.
import { $, NAMES } from "./common.js";

export function promotion(colour) {
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
