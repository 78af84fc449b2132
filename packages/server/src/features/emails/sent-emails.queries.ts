import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { EmailKind } from './emails.entity.ts';
import { customerEmailKinds, type EmailState, type EmailView, type OwnEmailView } from './emails.schemas.ts';
import { type EmailsDb, type EmailsHandle, tables } from './tables.ts';

const insert = tables.named(
  'log',
  (
    _,
    ids: readonly string[],
    kinds: readonly EmailKind[],
    developers: readonly (string | null)[],
    recipients: readonly string[],
    keys: readonly string[],
    subjects: readonly string[],
    at: Date,
  ) => sql<never>`
    insert into mails (id, kind, developer_id, recipient, recipient_key, subject, created_at)
    select id, kind, developer_id, recipient, recipient_key, subject, ${at}::timestamptz
    from unnest(${ids}::uuid[], ${kinds}::text[], ${developers}::uuid[], ${recipients}::text[], ${keys}::text[], ${subjects}::text[])
      as m (id, kind, developer_id, recipient, recipient_key, subject)`,
);

export interface NewEmail {
  id: string;
  kind: EmailKind;
  developerId: string | null;
  recipient: string;
  recipientKey: string;
  subject: string;
}

/** Adds emails to the log, as queued. */
export async function logEmails(handle: Sql, emails: readonly NewEmail[], at: Date): Promise<void> {
  const of = <T>(value: (email: NewEmail) => T) => emails.map(value);
  await insert(
    handle,
    of(({ id }) => id),
    of(({ kind }) => kind),
    of(({ developerId }) => developerId),
    of(({ recipient }) => recipient),
    of(({ recipientKey }) => recipientKey),
    of(({ subject }) => subject),
    at,
  );
}

/** Those of some ids that are in the log. */
export async function findLogged(handle: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables
    .in(handle)
    .selectFrom('mails')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Locks rows in one order, so that transactions that change several rows cannot deadlock. */
const held = (begin: Pick<EmailsHandle, 'selectFrom'>, ids: readonly string[]) =>
  begin.selectFrom('mails').select('id').where('id', '=', sql<string>`any(${ids}::uuid[])`).orderBy('id').forUpdate();

const attempt = tables.named('attempt', (begin, ids: readonly string[]) =>
  begin
    .updateTable('mails')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', held(begin, ids))
    .where('sent_at', 'is', null)
    .where('recipient', '<>', '')
    .returning(['id', 'attempts', 'developer_id', 'recipient_key', 'created_at']),
);

export type Attempt = Awaited<ReturnType<typeof attempt>>[number];

/** Counts an attempt at each of some emails. @returns those that are neither sent already nor erased, by their id. */
export async function countAttempts(handle: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, Attempt>> {
  const counted = await attempt(handle, ids);
  return new Map(counted.map((row) => [row.id, row]));
}

/** @param failedAt null: it will be tried again. */
export async function markFailed(db: EmailsDb, id: string, error: string, failedAt: Date | null): Promise<void> {
  await db
    .updateTable('mails')
    .set({ error, failed_at: failedAt })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute();
}

const sent = tables.named('sent', (begin, ids: readonly string[], at: Date) =>
  begin.updateTable('mails').set({ sent_at: at, error: null, failed_at: null }).where('id', 'in', held(begin, ids)),
);

export async function markSent(handle: Sql, ids: readonly string[], at: Date): Promise<void> {
  await sent(handle, ids, at);
}

/** An address, and the developer in whose name it gets emails. */
interface To {
  developerId: string;
  /** The normalized address. */
  recipientKey: string;
}

const selectTo = (handle: Sql, { developerId, recipientKey }: To) =>
  tables
    .in(handle)
    .selectFrom('mails')
    .where('developer_id', '=', developerId)
    .where('recipient_key', '=', recipientKey);

/** How many emails an address had after `since` and before the one with this id. Those that failed do not count. */
export async function countBefore(
  db: EmailsDb,
  to: To,
  { id, since, most }: { id: string; since: Date; most: number },
): Promise<number> {
  const before = selectTo(db, to)
    .select('id')
    .where('id', '<', id)
    .where('created_at', '>', since)
    .where('failed_at', 'is', null)
    .limit(most);
  const { n } = await db
    .selectFrom(before.as('before'))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** How many emails of a kind an address had after `since`. */
export async function countOfKind(
  handle: Sql,
  to: To,
  { kind, since }: { kind: EmailKind; since: Date },
): Promise<number> {
  const { n } = await selectTo(handle, to)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('kind', '=', kind)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return n;
}

/** Finds which of these normalized addresses had an email of a kind after `since`. */
export async function findNotifiedSince(
  handle: Sql,
  {
    developerId,
    kind,
    recipientKeys,
    since,
  }: { developerId: string; kind: EmailKind; recipientKeys: readonly string[]; since: Date },
): Promise<ReadonlySet<string>> {
  const rows = await tables
    .in(handle)
    .selectFrom('mails')
    .select('recipient_key')
    .distinct()
    .where('developer_id', '=', developerId)
    .where('recipient_key', '=', sql<string>`any(${recipientKeys}::text[])`)
    .where('kind', '=', kind)
    .where('created_at', '>', since)
    .execute();
  return new Set(rows.map((row) => row.recipient_key));
}

/** Deletes the recipients of emails in a developer’s name. Those that wait are no longer sent: they failed at `now`. */
export async function forgetRecipients(
  handle: Sql,
  { developerId, recipientKeys, now }: { developerId: string; recipientKeys: readonly string[]; now: Date },
): Promise<void> {
  await tables
    .in(handle)
    .updateTable('mails')
    .set({
      recipient: '',
      recipient_key: '',
      failed_at: sql<Date>`case when sent_at is null then coalesce(failed_at, ${now}) end`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mails')
        .select('id')
        .where('developer_id', '=', developerId)
        .where('recipient_key', '=', sql<string>`any(${recipientKeys}::text[])`)
        .orderBy('id')
        .forUpdate(),
    )
    .execute();
}

/** Deletes the recipients of all emails before a moment. */
export async function forgetOldRecipients(db: EmailsDb, before: Date): Promise<void> {
  await db
    .updateTable('mails')
    .set({ recipient: '', recipient_key: '' })
    .where('created_at', '<', before)
    .where('recipient', '<>', '')
    .execute();
}

/** Marks emails as failed that have waited since before a moment. */
export async function failOld(db: EmailsDb, before: Date, now: Date): Promise<void> {
  await db
    .updateTable('mails')
    .set({ failed_at: now })
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('created_at', '<', before)
    .execute();
}

const inState: Record<EmailState, RawBuilder<boolean>> = {
  queued: sql`sent_at is null and failed_at is null`,
  sent: sql`sent_at is not null`,
  failed: sql`failed_at is not null`,
};

const stateOf = sql<EmailState>`case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'queued' end`;

const selectShown = (handle: Sql, state: EmailState | undefined) =>
  tables
    .in(handle)
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'attempts', 'error', 'created_at', 'sent_at', 'failed_at'])
    .$if(state !== undefined, (all) => all.where(inState[state as EmailState]));

interface Page {
  state: EmailState | undefined;
  /** Moment and id of the last row of the page before. */
  after: readonly [at: string, id: string] | null;
  limit: number;
}

export function findSentEmails(db: EmailsDb, { state, after, limit }: Page): Promise<EmailView[]> {
  const [at = '', id = ''] = after ?? [];
  return selectShown(db, state)
    .$if(after !== null, (all) => all.where(sql<boolean>`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The recipients and delivery states of emails, by their ids. */
export async function findDelivery(
  handle: Sql,
  ids: readonly string[],
): Promise<Map<string, { address: string; state: EmailState }>> {
  const rows = await tables
    .in(handle)
    .selectFrom('mails')
    .select(['id', 'recipient as address', stateOf.as('state')])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, ...delivery }) => [id, delivery]));
}

interface OwnPage {
  developerId: string;
  state: EmailState | undefined;
  kind: OwnEmailView['kind'] | undefined;
  /** The normalized address. */
  recipientKey: string | null;
  after: string | null;
  limit: number;
}

/** Emails to customers in a developer's name, newest first. */
export function findCustomerEmails(db: EmailsDb, page: OwnPage): Promise<OwnEmailView[]> {
  const { developerId, state, kind, recipientKey, after, limit } = page;
  return selectShown(db, state)
    .select(stateOf.as('state'))
    .where('developer_id', '=', developerId)
    .where('kind', 'in', kind === undefined ? customerEmailKinds : [kind])
    .$if(recipientKey !== null, (all) => all.where('recipient_key', '=', recipientKey as string))
    .$if(after !== null, (all) => all.where('id', '<', after as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .$narrowType<{ kind: OwnEmailView['kind'] }>()
    .execute();
}
