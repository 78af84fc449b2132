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

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LEFT_TO_RIGHT = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;
const NO_BREAK = '\u00a0';

const isBackward = (word: string) => RIGHT_TO_LEFT.test(word) && !LEFT_TO_RIGHT.test(word);

/**
 * A text whose words in Arabic or Hebrew letters can be drawn one after the other. Each word is drawn in its own direction, from
 * the left to the right, so that several of them would be in the wrong order: those that follow each other become one word.
 * The space behind a word is drawn at its end, which is on the left; on the right, it gets one of its own.
 */
export function inDrawnOrder(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  const lines = text.split('\n').map((line) => {
    const runs: string[][] = [];
    for (const word of line.split(' ')) {
      const last = runs.at(-1);
      if (last && isBackward(word) && isBackward(last[0] as string)) last.push(word);
      else runs.push([word]);
    }
    return runs
      .map(
        (words, at) => (isBackward(words[0] as string) && at < runs.length - 1 ? NO_BREAK : '') + words.join(NO_BREAK),
      )
      .join(' ');
  });
  return lines.join('\n');
}
