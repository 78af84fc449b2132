import type { Expression } from 'kysely';
import { fold, LETTERS, LIGATURES } from '#platform/text/text.ts';
import { withValue } from './with-value.ts';

/** Escapes what a person typed, so that LIKE takes it literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}

/**
 * SQL for `fold` of a text: what searches compare with {@link likeFolded}. Immutable, so that an index may be of it. ASCII, which
 * most text is, costs no more than its lower case.
 */
export function folded(sql: string): string {
  const plain = `translate(lower(regexp_replace(normalize(${sql}, NFKD), '[\\u0300-\\u036f]+', '', 'g')), '${LETTERS[0]}', '${LETTERS[1]}')`;
  const full = Object.entries(LIGATURES).reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, plain);
  return `(case when octet_length(${sql}) = char_length(${sql}) then lower(${sql}) else ${full} end)`;
}

/** {@link folded} in a query that is built. */
export const foldedOf = (value: Expression<unknown>) => withValue<string>(folded, value);

/** A pattern for text that contains what a person typed, without regard to case and accents; for {@link folded} text. */
export function likeFolded(search: string): string {
  return `%${escapeLike(fold(search))}%`;
}
