// What is typed, read as a try: "e2e4", "E2-E4", "e7e8n", "Nf3", "nf3", "Rad1", "Rh1-h2", "exd5", "e8=N", "O-O", "any?".
import { NAMES, nameOf, squareOf } from "./common.js";

const ANY = /^any\??$/, CASTLING = /^[o0]-?[o0](-?[o0])?$/, PLAIN = /^([a-h][1-8])[-x:]?([a-h][1-8])=?([nbrq])?[+#]?$/;
const PAWN = /^()([a-h])?()[-x:]?([a-h][1-8])=?([nbrq])?[+#]?$/, PIECE = /^([nbrqk])([a-h])?([1-8])?[-x:]?([a-h][1-8])()[+#]?$/;

// From, to, and the letter of what a pawn becomes; null for "any?"; an Error for what is none. `men` are the player's
// own by square, `tries` those that may be made.
export function readTry(typed, colour, tries, men) {
  const text = typed.trim(), low = text.toLowerCase();
  if (ANY.test(low)) return null;
  if (CASTLING.test(low)) return castle(colour, low.match(/[o0]/g).length > 2);
  const plain = PLAIN.exec(low), large = text[0] === "B" && PIECE.test(low);
  // "B2b4" is a bishop of the second rank, "b2b4" and "B2B4" are what stands on b2.
  if (plain && (!large || text === text.toUpperCase())) return [squareOf(plain[1]), squareOf(plain[2]), plain[3] ?? ""];
  // A small b is a file of pawns, unless a bishop alone can be meant; a large one is a bishop.
  const forms = large ? [PIECE] : [PAWN, PIECE];
  const readings = forms.map((form) => form.exec(low)).filter(Boolean).map((found) => reading(found, tries, men));
  if (!readings.length) throw new Error(`“${text}” is not a try; type one such as e2e4 or Nf3.`);
  const { kind, end, file, fits, becomes } = readings.find(({ fits }) => fits.length) ?? readings[0];
  if (!fits.length) throw new Error(`No ${kind} of yours can be tried on ${end}${kind === "pawn" && !file ? " straight ahead; name the file to capture, as exd5" : ""}.`);
  if (fits.length > 1) throw new Error(`Several can: ${fits.map(([from]) => nameOf(from) + end).join(", ")}.`);
  return [...fits[0], becomes];
}

function castle(colour, long) {
  const rank = colour === "white" ? 0 : 56;
  return [rank + 4, rank + (long ? 2 : 6), ""];
}

function reading([, letter, file, rank, end, becomes], tries, men) {
  const kind = NAMES[letter || "p"], to = squareOf(end);
  const is = (from) => men.get(from)?.endsWith(kind) && (!file || nameOf(from)[0] === file) && (!rank || nameOf(from)[1] === rank);
  const from = file && rank ? squareOf(file + rank) : null;
  // One that is named whole need not be on the list. A pawn captures if its file is named, else it goes straight.
  const fits = from !== null ? (is(from) ? [[from, to]] : []) : tries.filter(([start, target]) => target === to && is(start)
    && (letter || !file === ((start & 7) === (to & 7))));
  return { kind, end, file, fits, becomes: becomes ?? "" };
}
