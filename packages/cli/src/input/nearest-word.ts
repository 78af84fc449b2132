/** The word that was probably meant: the one with the fewest letters to change, unless that is too many to be a slip. */
export function nearest(text: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(text.toLowerCase(), word) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(2, text.length / 3) ? best.word : undefined;
}

/** How many letters must be changed, added or removed. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const changed = (row[j] as number) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
