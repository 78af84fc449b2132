/** The first letters of words, whole characters of any script, in capitals. */
export const initialsOf = (...words: string[]): string =>
  words
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();
