/** Before each text, and instead of one that is null. */
const NEXT = '\u001e';
const NONE = '\u001d';

/**
 * Texts as one parameter, which costs less than an array of them: there each quote is escaped, and each character read one by
 * one.
 * @param texts JSON, or others without control characters but line breaks and tabs.
 * @example `sql.query(`insert into notes (body) select * from unnest(${unpacked('$1')})`, [packed(bodies)])`
 */
export const packed = (texts: readonly (string | null)[]): string =>
  texts.map((text) => NEXT + (text ?? NONE)).join('');

/** SQL of the array of texts in a parameter that {@link packed} made. */
export const unpacked = (parameter: string): string => `(string_to_array(${parameter}::text, E'\\x1e', E'\\x1d'))[2:]`;
