import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { madeIdsFrom } from '#platform/db/statements/ids-at.ts';
import { packed, unpacked } from '#platform/db/statements/packed-texts.ts';
import { idsFrom } from '#platform/db/statements/uuid-v7.ts';
import { withValue } from '#platform/db/statements/with-value.ts';
import type { Columns } from '#platform/db/tables.ts';
import { sendNotices } from '#platform/events.ts';
import { isId } from '#platform/ids.ts';
import { idAt } from '#platform/random.ts';
import { tables } from '../tables.ts';
import { type EventData, type EventType, patternsFor, personalFields } from './catalog.ts';

/** Something that became true. With an `id` of its own, it is recorded once, however often that is tried. */
export type RecordedEvent = {
  [Type in EventType]: { type: Type; at: Date; data: EventData<Type>; id?: string };
}[EventType];

/**
 * The number of the running transaction, which orders the feed. Use it only in a statement that writes: there, many
 * machines evaluate it where the transaction began, before the statement goes to the machine with the rows. See
 * `settled.ts`.
 */
export const THIS_TRANSACTION = sql<number>`pg_current_xact_id()::text::bigint`;

/** The places of an event in a statement. */
export interface Places<Place> {
  account: Place;
  type: Place;
  patterns: Place;
  at: Place;
}

/** The places of its id and its data. */
export interface DataPlaces<Place> {
  /** See `idAt`. */
  id: Place;
  data: Place;
  personal: Place;
  objects: Place;
}

type Part = RawBuilder<unknown>;

/** Whether endpoint `e` is one of the account that asks for the event, and was listening when it happened. */
const asks = ({ account, patterns, at }: Places<Part>) => sql`
  e.developer_id = ${account}::uuid and e.events && ${patterns}::text[]
    and (e.listens_until is null or e.listens_until > ${at}::timestamptz)`;

const INSERT_EVENT = sql`insert into webhook_events as made (developer_id, id, type, occurred_at, data, personal, object_ids, xid)`;

// Rows are made of the account's own endpoints, joined to what happened, with ids that are given or follow from others: so many machines
// make them where the account is, and need none of the others (see test/support/made-rows.ts).

/** The part that sends each `event` to each endpoint. Ids begin with the moment. */
const queued = (places: Places<Part>) => sql`
  queued as (
    insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, next_attempt_at, created_at)
    select e.developer_id, ${madeIdsFrom(withValue(idsFrom, places.at), sql`event.id::text || e.id::text`)}, e.id, event.id, event.type,
      case when e.enabled then 'waiting' else 'skipped' end,
      case when e.enabled then ${places.at}::timestamptz end, ${places.at}::timestamptz
    from webhook_endpoints e join event on event.developer_id = e.developer_id
    where ${asks(places)} and e.listens_until is null
  )`;

/** An event that was recorded. */
interface Recorded {
  account: string;
  id: string;
  type: EventType;
}

function mustHaveTransaction({ client }: Sql, type: EventType): void {
  if (!client) throw new Error(`${type} is recorded without a transaction`);
}

/**
 * Notifies live listeners and the workers of an event, once the transaction commits that records it.
 * @throws without a transaction, where what was written could stay and its notice be lost
 */
export async function notifyRecorded(handle: Sql, { account, id, type }: Recorded): Promise<void> {
  mustHaveTransaction(handle, type);
  await sendNotices(handle, [{ account, type: 'webhook', data: { event_id: id, event: type } }]);
}

/**
 * Further parts of a WITH: they record an event, and its deliveries, for the account's endpoints that ask for it. Without such
 * an endpoint nothing is written. {@link RECORDED} is to be read, and handed to {@link notifyRecorded}.
 * @param given a relation with one row if the event happened, whose columns its data may name; null: it did.
 */
export const recordParts = (given: Part | null, places: Places<Part> & DataPlaces<Part>) => sql`
  event as (
    ${INSERT_EVENT}
    select distinct on (e.developer_id) e.developer_id, ${places.id}::uuid, ${places.type}::text, ${places.at}::timestamptz,
      ${places.data}::text, ${places.personal}::text, ${places.objects}::uuid[], ${THIS_TRANSACTION}
    from webhook_endpoints e${given ? sql` cross join ${given} given` : sql``} where ${asks(places)}
    returning developer_id, id, type
  ), ${queued(places)}`;

/** The id of what {@link recordParts} recorded, and null where nobody asked for it. */
export const RECORDED = sql<string | null>`(select id from event)`;

/**
 * The same for as many events of one type as there are, without bringing them through the server.
 * @param given a relation with a row for each: `id`, `data` and `personal` as JSON in text, and `objects`, the ids among the data.
 */
const recordEachParts = (given: Part, places: Places<Part>) => sql`
  event as (
    ${INSERT_EVENT}
    select distinct on (e.developer_id, given.id) e.developer_id, given.id, ${places.type}::text, ${places.at}::timestamptz,
      given.data, given.personal, given.objects, ${THIS_TRANSACTION}
    from webhook_endpoints e cross join ${given} given where ${asks(places)}
    on conflict (id, developer_id) do nothing returning developer_id, id, type
  ), ${queued(places)}`;

const RECORD = tables.named(
  'record',
  (
    _,
    account: string,
    type: string,
    patterns: string[],
    at: Date,
    data: string,
    personal: string,
    objects: string,
    ids: string[],
  ) => {
    const given = sql`(
      select id, data, personal, objects::uuid[] as objects
      from unnest(${withValue(unpacked, data)}, ${withValue(unpacked, personal)}, ${withValue(unpacked, objects)}, ${ids}::uuid[])
        as packed (data, personal, objects, id))`;
    const places = { account: sql`${account}`, type: sql`${type}`, patterns: sql`${patterns}`, at: sql`${at}` };
    return sql<Columns<'webhook_events', 'id'>>`
      with ${recordEachParts(given, places)} select id from event order by id desc limit 1`;
  },
);

/**
 * Records an event of an account for its webhooks, in the transaction that makes it true: one statement, one look-up in an
 * index when nobody asks for it.
 */
export async function recordWebhook(handle: Sql, accountId: string, event: RecordedEvent): Promise<void> {
  await recordWebhooks(handle, accountId, [event]);
}

/** The same for many events of one type at once. */
export async function recordWebhooks(handle: Sql, accountId: string, events: readonly RecordedEvent[]): Promise<void> {
  const [first] = events;
  if (!first) return;
  mustHaveTransaction(handle, first.type);
  const parts = events.map(({ data }) => ({ ...partsOf(data), objects: `{${objectIdsOf(data).join(',')}}` }));
  const [last] = await RECORD(
    handle,
    accountId,
    first.type,
    patternsFor(first.type),
    first.at,
    packed(parts.map(({ shown }) => shown)),
    packed(parts.map(({ personal }) => personal)),
    packed(parts.map(({ objects }) => objects)),
    events.map(({ id, at }) => id ?? idAt(at)),
  );
  if (last) await notifyRecorded(handle, { account: accountId, id: last.id, type: first.type });
}

/** The same of an account, for a statement that is on its way to it anyhow. @param account a value, or a column such as `r.developer_id` */
export const asksFor = (account: string | Part, type: EventType) => {
  const developerId = typeof account === 'string' ? sql.ref(account) : account;
  return sql<boolean>`exists (
    select 1 from webhook_endpoints e where e.developer_id = ${developerId} and e.events && ${patternsFor(type)}::text[])`;
};

/** Whether an account has an endpoint for this type: before data is read that nothing else needs. */
export async function wantsWebhook(handle: Sql, accountId: string, type: EventType): Promise<boolean> {
  return (await accountsWanting(handle, [accountId], type)).has(accountId);
}

const WANTING = tables.named('wanting', (begin, accountIds: readonly string[], patterns: string[]) =>
  begin
    .selectFrom('webhook_endpoints')
    .select('developer_id')
    .distinct()
    .where('developer_id', '=', sql<string>`any(${accountIds}::uuid[])`)
    .where(sql<boolean>`events && ${patterns}::text[]`),
);

/** Finds which of these accounts have an endpoint for this type. */
export async function accountsWanting(
  handle: Sql,
  accountIds: readonly string[],
  type: EventType,
): Promise<Set<string>> {
  const rows = await WANTING(handle, accountIds, patternsFor(type));
  return new Set(rows.map(({ developer_id }) => developer_id));
}

/** Data as JSON, and what of it is personal: for {@link recordParts}. */
export function partsOf(data: object): { shown: string; personal: string | null } {
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  const isPersonal = (name: string) => (personalFields as readonly string[]).includes(name);
  const personal = entries.filter(([name, value]) => isPersonal(name) && value !== null);
  return {
    shown: JSON.stringify(Object.fromEntries(entries.filter(([name]) => !isPersonal(name)))),
    personal: personal.length > 0 ? JSON.stringify(Object.fromEntries(personal)) : null,
  };
}

/** The ids among the data, for searching and for erasing. */
export const objectIdsOf = (data: object): string[] => [
  ...new Set(Object.values(data).filter((value): value is string => typeof value === 'string' && isId(value))),
];
