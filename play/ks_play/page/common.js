// What both pages share: short names, light or dark, and what this browser remembers.
export const $ = (id) => document.getElementById(id);
export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
export const nameOf = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);
export const squareOf = (name) => "abcdefgh".indexOf(name[0]) + 8 * (name[1] - 1);

const RULES = { icc: "ICC", rand: "RAND", berkeley: "Berkeley", "berkeley-any": "Berkeley + any", cincinnati: "Cincinnati", english: "English" };
export const rulesName = (id) => RULES[id] ?? id;

export function read(key, otherwise) {
  try { return JSON.parse(localStorage.getItem(key)) ?? otherwise; } catch { return otherwise; }
}

export function write(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* a browser that keeps nothing */ }
}

export const recent = () => read("games", []);
export const remember = (game) => write("games", [game, ...recent().filter(({ seat }) => seat !== game.seat)].slice(0, 20));

export function theme() {
  const root = document.documentElement;
  const kept = read("theme", null);
  if (kept) root.dataset.theme = kept;
  $("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    write("theme", root.dataset.theme);
  });
}
