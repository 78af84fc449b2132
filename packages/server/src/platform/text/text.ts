/**
 * One text, one form: what people type comes in several that look alike, by their keyboard, their system or the page it was
 * copied from (decision 0095).
 */

/** Characters from the first combining one on: text without these is in its composed form already. */
const COMPOSABLE = /[\u0300-\u{10ffff}]/u;
const WIDE = /[\uff00-\uffef]+/g;
/** Invisible characters that get copied along. Joiners are not among them: some scripts and emoji need these. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+/g;
const SPACES = /\p{Zs}+/gu;
const MARKS = /[\u0300-\u036f]+/g;
/** Letters that do not fall into a base and a mark. */
export const LETTERS = ['øłđðħıŧ', 'olddhit'] as const;
export const LIGATURES = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' } as const;

/** The composed form (NFC): an `é` of a Mac’s file names is that of every keyboard. */
export function composed(text: string): string {
  return COMPOSABLE.test(text) ? text.normalize('NFC') : text;
}

/** Full-width letters and signs, as Japanese keyboards write them, in their ordinary form. */
export function narrow(text: string): string {
  return COMPOSABLE.test(text) ? text.replace(WIDE, (wide) => wide.normalize('NFKC')).normalize('NFC') : text;
}

export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '');
}

/** A name, a label, a tag: composed, with one ordinary space where others or several would look the same. */
export function tidyLine(text: string): string {
  return withoutUnseen(composed(text)).replace(SPACES, ' ').trim();
}

/**
 * How texts are compared in searches: without case, accents and width, so that *jose* finds *José* and *Lukasz* *Łukasz*.
 * `folded` of `db/statements/like.ts` is the same in SQL.
 */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(MARKS, '').toLowerCase();
  return plain.replace(/[øłđðħıŧßæœþ]/g, (letter) => {
    const at = LETTERS[0].indexOf(letter);
    return at >= 0 ? (LETTERS[1][at] as string) : LIGATURES[letter as keyof typeof LIGATURES];
  });
}
