const MOST = 1_000_000_000;

/**
 * Whether a version comes after another, by the numbers that it begins with: 1.10 is newer than 1.9, and 1.2-beta is 1.2. Plugins
 * compare likewise (`isNewerVersion`). A name without a number, such as "latest", is never newer.
 */
export function isNewer(version: string, than: string): boolean {
  if (!/^\d/.test(version)) return false;
  const [own, other] = [numbersOf(version), numbersOf(than)];
  for (let at = 0; at < Math.max(own.length, other.length); at += 1) {
    const difference = (own[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function numbersOf(version: string): number[] {
  const [dotted = ''] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  return dotted === '' ? [] : dotted.split('.').map((digits) => Math.min(Number(digits), MOST));
}
