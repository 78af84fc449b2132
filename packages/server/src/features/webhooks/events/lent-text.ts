import { type RawBuilder, sql } from 'kysely';
import { tables } from '../tables.ts';
import { type EventType, patternsFor } from './catalog.ts';
import { type DataPlaces, type Places, recordEachParts, recordParts } from './record.ts';

// As text, for features whose statements are text still.

/** {@link recordParts}. @param $ parameters, as SQL. */
export const recordCtes = (given: string, $: Places<string> & DataPlaces<string>): string =>
  tables.text(recordParts(sql.raw(given), raw($)));

/** {@link recordEachParts}. @param $ parameters, as SQL. */
export const recordEachCtes = (given: string, $: Places<string>): string =>
  tables.text(recordEachParts(sql.raw(given), raw($)));

/**
 * Whether an account has an endpoint for this type, for a statement that is on its way to the account anyhow.
 * @param account such as `s.developer_id`.
 */
export const asksFor = (account: string, type: EventType): string =>
  `exists (select 1 from webhook_endpoints e where e.developer_id = ${account} and e.events && array[${patternsFor(type)
    .map((pattern) => `'${pattern}'`)
    .join(', ')}])`;

const raw = <Name extends string>(places: Record<Name, string>) =>
  Object.fromEntries(Object.entries<string>(places).map(([name, place]) => [name, sql.raw(place)])) as Record<
    Name,
    RawBuilder<unknown>
  >;
