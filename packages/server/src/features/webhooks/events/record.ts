import type { Sql } from '#platform/db/database.ts';
import { packed, unpacked } from '#platform/db/statements/packed-texts.ts';
import { uuidV7 } from '#platform/db/statements/uuid-v7.ts';
import { noticeSql } from '#platform/events.ts';
import { isId } from '#platform/ids.ts';
import { type EventData, type EventType, patternsFor, personalFields } from './catalog.ts';

/** Something that became true. With an `id` of its own, it is recorded once, however often that is tried. */
export type RecordedEvent = {
  [Type in EventType]: { type: Type; at: Date; data: EventData<Type>; id?: string };
}[EventType];

/** SQL of the number of the running transaction, by which the feed is in order. */
export const THIS_TRANSACTION = 'pg_current_xact_id()::text::bigint';

/** The parameters of an event, as SQL. */
interface Places {
  account: string;
  type: string;
  patterns: string;
  at: string;
}

/** The parameters of its data, as SQL. */
interface DataPlaces {
  data: string;
  personal: string;
  objects: string;
}

/** The account's endpoints that ask for the event, and that were listening when it happened. */
const targetSql = ($: Places) => `
    select e.developer_id, e.id, e.enabled, e.listens_until from webhook_endpoints e
    where e.developer_id = ${$.account}::uuid and e.events && ${$.patterns}::text[]
      and (e.listens_until is null or e.listens_until > ${$.at}::timestamptz)`;

const INSERT_EVENT =
  'insert into webhook_events (developer_id, id, type, occurred_at, data, personal, object_ids, xid)';

/** The parts that send each `event` to each `target`. */
const queuedCte = ($: Places) => `
  queued as (
    insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, next_attempt_at, created_at)
    select target.developer_id, ${uuidV7($.at)}, target.id, event.id, event.type,
      case when target.enabled then 'waiting' else 'skipped' end,
      case when target.enabled then ${$.at}::timestamptz end, ${$.at}::timestamptz
    from target join event on event.developer_id = target.developer_id where target.listens_until is null
  )`;

/** The part that tells live listeners and the workers of an event. */
const recordedCte = (relation: string) => `
  recorded as (
    select ${noticeSql('developer_id', 'webhook', "json_build_object('event_id', id, 'event', type)")} from ${relation}
  )`;

/**
 * Further parts of a WITH: they record an event, and its deliveries, for the account's endpoints that ask for it. Without such
 * an endpoint nothing is written. The last part, `recorded`, has a row if something was; it has to be read, so that live
 * listeners and the workers hear of it.
 * @param given a relation with a row if the event happened.
 */
export const recordCtes = (given: string, $: Places & DataPlaces): string => `
  target as (${targetSql($)} and exists (select 1 from ${given})
  ), event as (
    ${INSERT_EVENT}
    select ${$.account}::uuid, ${uuidV7($.at)}, ${$.type}::text, ${$.at}::timestamptz, ${$.data}::text, ${$.personal}::text,
      ${$.objects}::uuid[], ${THIS_TRANSACTION}
    where exists (select 1 from target) returning developer_id, id, type
  ), ${queuedCte($)}, ${recordedCte('event')}`;

/**
 * The same for as many events of one type as there are, without bringing them through the server.
 * @param given a relation with a row for each: `id` (null: a new one), `data` and `personal` as JSON in text, and `objects`, the
 * ids among the data.
 */
export const recordEachCtes = (given: string, $: Places): string => `
  target as (${targetSql($)}
  ), event as (
    ${INSERT_EVENT}
    select ${$.account}::uuid, coalesce(given.id, ${uuidV7($.at)}), ${$.type}::text, ${$.at}::timestamptz, given.data,
      given.personal, given.objects, ${THIS_TRANSACTION}
    from ${given} given where exists (select 1 from target) on conflict (id, developer_id) do nothing returning developer_id, id, type
  ), ${queuedCte($)}, last as (select developer_id, id, type from event order by id desc limit 1), ${recordedCte('last')}`;

const GIVEN = `(
  select id, data, personal, objects::uuid[] as objects
  from unnest(${unpacked('$5')}, ${unpacked('$6')}, ${unpacked('$7')}, $8::uuid[]) as packed (data, personal, objects, id))`;
const RECORD = `with ${recordEachCtes(GIVEN, { account: '$1', type: '$2', patterns: '$3', at: '$4' })} select * from recorded`;

/**
 * Records an event of an account for its webhooks, in the transaction that makes it true: one statement, one look-up in an
 * index when nobody asks for it.
 */
export async function recordWebhook(sql: Sql, accountId: string, event: RecordedEvent): Promise<void> {
  await recordWebhooks(sql, accountId, [event]);
}

/** The same for many events of one type at once. */
export async function recordWebhooks(sql: Sql, accountId: string, events: readonly RecordedEvent[]): Promise<void> {
  const [first] = events;
  if (!first) return;
  const parts = events.map(({ data }) => ({ ...partsOf(data), objects: `{${objectIdsOf(data).join(',')}}` }));
  await sql.query(RECORD, [
    accountId,
    first.type,
    patternsFor(first.type),
    first.at,
    packed(parts.map(({ shown }) => shown)),
    packed(parts.map(({ personal }) => personal)),
    packed(parts.map(({ objects }) => objects)),
    events.map(({ id }) => id ?? null),
  ]);
}

/** Whether an account has an endpoint for this type: before data is read that nothing else needs. */
export async function wantsWebhook(sql: Sql, accountId: string, type: EventType): Promise<boolean> {
  return (await accountsWanting(sql, [accountId], type)).has(accountId);
}

/** The same as SQL, for a statement that is on its way to the account anyhow. @param account such as `s.developer_id`. */
export const asksFor = (account: string, type: EventType): string =>
  `exists (select 1 from webhook_endpoints e where e.developer_id = ${account} and e.events && array[${patternsFor(type)
    .map((pattern) => `'${pattern}'`)
    .join(', ')}])`;

/** Which of these accounts have an endpoint for this type. */
export async function accountsWanting(sql: Sql, accountIds: readonly string[], type: EventType): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    `select distinct e.developer_id as id from webhook_endpoints e
     where e.developer_id = any($1::uuid[]) and e.events && $2::text[]`,
    [accountIds, patternsFor(type)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Data as JSON, and what of it is personal: for the parameters of {@link recordCtes}. */
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
