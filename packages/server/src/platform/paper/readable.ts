import anyAscii from 'any-ascii';

/** Marks and joiners that belong to the character before them: nothing is lost without them. */
const SILENT = /^[\p{M}\p{Cf}]$/u;

/**
 * A text with what a font can't draw in Latin letters: a paper with `RiBen` is better than one with a gap. No font that
 * could be shipped has every script.
 */
export function readable(text: string, has: (codePoint: number) => boolean): string {
  let drawn = '';
  for (const character of text) {
    if (/\s/.test(character) || has(character.codePointAt(0) as number)) drawn += character;
    else if (!SILENT.test(character)) drawn += anyAscii(character) || '?';
  }
  return drawn;
}
