import { type RawBuilder, sql } from 'kysely';
import { asksFor as asking, recordCtes } from '#features/webhooks';

type Places = Parameters<typeof recordCtes>[1];

/** Whether an account asks webhooks for a type. @param account the column */
export const asksFor = (...of: Parameters<typeof asking>) => sql<boolean>`${sql.raw(asking(...of))}`;

/** Its parts of a WITH in a template: every place is SQL. */
export function recordingParts(
  given: string,
  places: { readonly [Place in keyof Places]: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const marks = Object.fromEntries(Object.keys(places).map((place) => [place, `«${place}»`])) as unknown as Places;
  const pieces = recordCtes(given, marks).split(/«(\w+)»/);
  return sql.join(
    pieces.map((piece, at) => (at % 2 === 0 ? sql.raw(piece) : places[piece as keyof Places])),
    sql``,
  );
}
