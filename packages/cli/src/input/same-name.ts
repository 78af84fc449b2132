/** A name as the server compares it, whichever form a terminal or a file sent. */
const keyOf = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

export function sameName(one: string | null | undefined, other: string): boolean {
  return one !== null && one !== undefined && keyOf(one) === keyOf(other);
}

/** Whether a text has what was searched for, without regard to case and accents. */
export function hasWords(text: string, search: string): boolean {
  const fold = (each: string) =>
    each
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]+/g, '')
      .toLowerCase();
  return fold(text).includes(fold(search));
}
