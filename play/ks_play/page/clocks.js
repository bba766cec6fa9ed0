// Both clocks. The server keeps the time; here it is shown, and runs on between its messages.
import { $ } from "./common.js";

const STEP = 200, SHORT = 10_000; // milliseconds

function words(left) {
  const seconds = Math.max(0, left) / 1000;
  if (left < SHORT) return `0:0${Math.min(9.9, seconds).toFixed(1)}`;
  const whole = Math.ceil(seconds - 0.001), rest = whole % 60;
  return `${Math.floor(whole / 60)}:${rest < 10 ? "0" : ""}${rest}`;
}

export class Clocks {
  begin(colour) {
    this.mine = colour;
    this.told = null;
    this.timer ??= setInterval(() => this.show(), STEP);
  }

  set(told) {
    if (told) [this.told, this.since] = [told, performance.now()];
    this.show();
  }

  show() {
    const told = this.told;
    $("my-clock").hidden = $("their-clock").hidden = !told;
    if (!told) return;
    ["white", "black"].forEach((colour, place) => {
      const shown = $(colour === this.mine ? "my-clock" : "their-clock"), runs = told.runs === colour;
      const left = told.left[place] - (runs ? performance.now() - this.since : 0);
      shown.textContent = words(left);
      shown.classList.toggle("runs", runs);
      shown.classList.toggle("short", left < SHORT);
    });
  }
}
