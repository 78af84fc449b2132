const MOST = 64;

/**
 * The name that a machine gives itself, as others may read it: whoever starts a sign-in chooses it, so nothing of an address, a
 * sentence or a command is left of it.
 * @returns null when nothing is left.
 */
export function plainMachineName(name: string): string | null {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._'’-]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return [...plain].slice(0, MOST).join('').trim() || null;
}
