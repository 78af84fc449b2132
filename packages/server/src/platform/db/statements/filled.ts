import { type Expression, type RawBuilder, sql } from 'kysely';

/** Cannot be in SQL. */
const MARK = '\u0001';

/**
 * SQL that another feature lends as a function of the places of its values, with the values in it.
 * @param build gets a stand-in for each of the values, which it may put anywhere in its text, also several times
 * @example filled((place) => recordCtes('entry', place), { account: sql`${developerId}`, … })
 */
export function filled<Name extends string>(
  build: (places: Record<Name, string>) => string,
  values: Record<Name, Expression<unknown>>,
): RawBuilder<unknown> {
  const names = Object.keys(values) as Name[];
  const places = Object.fromEntries(names.map((name, at) => [name, `${MARK}${at}${MARK}`])) as Record<Name, string>;
  // every second part is the number of a value
  const parts = build(places).split(MARK);
  return sql.join(
    parts.map((part, at) => (at % 2 === 0 ? sql.raw(part) : values[names[Number(part)] as Name])),
    sql``,
  );
}
