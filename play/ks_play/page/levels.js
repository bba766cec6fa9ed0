// Opponents named by their measured strength, where it was measured, and the person's own rating.
export function levels({ game, ruleset, levels }, chosen, rules) {
  const group = document.createElement("optgroup");
  group.label = "By strength";
  if (chosen.id !== game || rules !== ruleset) return [];
  levels.forEach(({ player, rating, low, high }, i) => {
    group.append(new Option(`Level ${i + 1} · ${player} · ${rating} ± ${Math.round((high - low) / 2)}`, player));
  });
  return [group];
}

export async function showRating(place) {
  const answer = await fetch("/rating");
  const found = answer.ok ? await answer.json() : null;
  place.hidden = !found?.games;
  if (!found?.games) return;
  const { rating, low, high, games } = found;
  place.textContent = `Your rating: ${rating} (95 %: ${low} to ${high}), from ${games} game${games > 1 ? "s" : ""} against the levels without help.`;
}
