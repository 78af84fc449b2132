import { type Expression, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { invalidField } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';

// Filters of lists that combine: each is a parameter with several values, and `-` before a value leaves it out.

const MOST = 50;
/** Checks of the values that a parameter may name. */
export const fits = {
  id: isId,
  idOrNone: (value: string) => value === 'none' || isId(value),
  countryOrNone: (value: string) => value === 'none' || /^[A-Z]{2}$/.test(value),
  oneOf: (words: readonly string[]) => (value: string) => words.includes(value),
};

/** The column of a filter. */
export interface ChoiceColumn {
  /** SQL of its value; `none` means null. */
  value: string;
  type: 'uuid' | 'text';
  fits: (value: string) => boolean;
}

/** The same for queries that are built. */
export interface BuiltChoice extends Omit<ChoiceColumn, 'value'> {
  value: Expression<string | null>;
}

/** The parameter. @param what its description */
export const choiceParam = (what: string) =>
  z
    .string()
    .trim()
    .max(4000)
    .optional()
    .describe(`${what}; several with commas between them, \`-\` before one leaves it out.`);

/** The choices of a filter, with counts. @param what its description */
export const choiceCounts = (what: string) =>
  z
    .array(
      z.object({
        value: z.string().describe('What the parameter takes.'),
        label: z.string().nullable().describe('Its name; null: it has none.'),
        count: z.int().describe('How many it leaves together with the other filters.'),
        exact: z.boolean().describe('If false, there are more than `count`: not all were counted.'),
      }),
    )
    .describe(`${what}, the most frequent 50.`);

/** So many rows are counted where counting one reads an index alone, … */
export const COUNTED = 100_000;
/** … and so many of the newest where each leads to rows of other tables. */
export const LOOKED_AT = 10_000;
/** So many choices of each filter are offered. */
export const MOST_CHOICES = 50;

export interface ChoiceCount {
  value: string;
  label: string | null;
  count: number;
  exact: boolean;
}

/** A choice of one of several filters that are counted together. */
export interface KindCount<Kind extends string> extends ChoiceCount {
  kind: Kind;
}

/**
 * How far each of several is counted, so that all together are not counted beyond `all`: the small ones whole, and what they leave
 * is shared by the large ones.
 */
export function evenShare(sizes: readonly number[], all: number): number {
  let left = all;
  for (const [at, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.max(1, Math.floor(left / (sizes.length - at)));
    if (size > share) return share;
    left -= size;
  }
  return all;
}

/**
 * Each filter is counted without what is chosen of itself. Those that nothing is chosen of share all conditions, so that they
 * are counted together.
 */
export function countedTogether<Kind extends string, Query extends { [Key in Kind]?: string | undefined }>(
  kinds: readonly Kind[],
  query: Query,
): { kinds: Kind[]; query: Query }[] {
  const chosen = kinds.filter((kind) => query[kind]);
  const free = kinds.filter((kind) => !query[kind]);
  return [
    ...(free.length > 0 ? [{ kinds: free, query }] : []),
    ...chosen.map((kind) => ({ kinds: [kind], query: { ...query, [kind]: undefined } })),
  ];
}

/** The choices of each filter, in the order that they were read in. */
export function byKind<Kind extends string>(
  kinds: readonly Kind[],
  counts: readonly KindCount<Kind>[],
): Record<Kind, ChoiceCount[]> {
  const found = Object.fromEntries(kinds.map((kind) => [kind, [] as ChoiceCount[]])) as Record<Kind, ChoiceCount[]>;
  for (const { kind, ...choice } of counts) found[kind].push(choice);
  return found;
}

/** The values that a filter takes, and those that it leaves out. @throws {AppError} invalid_request at the parameter. */
export function readChoice(
  path: string,
  text: string,
  { fits }: Pick<ChoiceColumn, 'fits'>,
): { only: string[]; not: string[] } {
  const values = text.split(',').filter((value) => value !== '');
  if (values.length > MOST) throw invalidField(path, `Choose at most ${MOST}.`);
  const only = values.filter((value) => !value.startsWith('-'));
  const not = values.filter((value) => value.startsWith('-')).map((value) => value.slice(1));
  if ([...only, ...not].some((value) => !fits(value))) throw invalidField(path, 'Not valid.');
  return { only, not };
}

/** Conditions for what is chosen of one filter. @throws {AppError} invalid_request at the parameter. */
export function chosen(path: string, text: string | undefined, column: BuiltChoice): Expression<SqlBool>[] {
  if (!text) return [];
  const { only, not } = readChoice(path, text, column);
  const among = (values: string[]) => {
    const listed = values.filter((each) => each !== 'none');
    const parts = [
      ...(listed.length > 0 ? [sql`${column.value} = any(${listed}::${sql.raw(column.type)}[])`] : []),
      ...(values.includes('none') ? [sql`${column.value} is null`] : []),
    ];
    // null is in none of the listed ones
    return sql<boolean>`coalesce(${sql.join(parts, sql` or `)}, false)`;
  };
  return [...(only.length > 0 ? [among(only)] : []), ...(not.length > 0 ? [sql<boolean>`not ${among(not)}`] : [])];
}

/** {@link mostFrequent} for queries that are built. */
export const mostFrequentOf = (kind: string, grouped: Expression<unknown>, label: Expression<string | null>) =>
  sql`(select ${sql.lit(kind)} as kind, coalesce(v.value, 'none') as value, ${label} as label, v.count, v.exact
    from (${grouped} order by count desc, value limit ${sql.lit(MOST_CHOICES)}) v order by v.count desc, v.value)`;
