const MOST = 64;
/** More would be a sentence, such as one that asks for the confirmation. */
const MOST_WORDS = 4;

/**
 * The name that a machine gives itself, made safe for others to read. The starter of a sign-in chooses it, so nothing
 * of an address, a sentence or a command is left in it.
 * @returns null when nothing is left.
 */
export function plainMachineName(name: string): string | null {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._'’-]/gu, ' ')
    // marks upon marks would cover what is written around them
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/ +/g, ' ')
    .trim()
    .split(' ')
    .slice(0, MOST_WORDS)
    .join(' ');
  return [...plain].slice(0, MOST).join('').trim() || null;
}
