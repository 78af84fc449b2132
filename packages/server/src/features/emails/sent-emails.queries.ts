import type { Sql } from '#platform/db/database.ts';
import { invalidField } from '#platform/errors.ts';
import { customerEmailKinds, type EmailState, type EmailView, type OwnEmailView } from './emails.schemas.ts';

export const INSERT_EMAILS = `
  insert into mails (id, kind, developer_id, recipient, recipient_key, subject, created_at)
  select id, kind, developer_id, recipient, recipient_key, subject, $7
  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[])
    as m (id, kind, developer_id, recipient, recipient_key, subject)`;

const inState: Record<EmailState, string> = {
  queued: 'and sent_at is null and failed_at is null',
  sent: 'and sent_at is not null',
  failed: 'and failed_at is not null',
};

interface Page {
  state: EmailState | undefined;
  /** Moment and id of the last row of the page before. */
  after: string[] | null;
  limit: number;
}

export async function findSentEmails(sql: Sql, { state, after, limit }: Page): Promise<EmailView[]> {
  const [at = null, id = null] = after ?? [];
  if (after && (Number.isNaN(Date.parse(at ?? '')) || !/^[0-9a-f-]{36}$/.test(id ?? '')))
    throw invalidField('cursor', 'The cursor is not valid.');
  return sql.query<EmailView>(
    `select id, kind, recipient, subject, attempts, error, created_at, sent_at, failed_at from mails
     where ($1::timestamptz is null or (created_at, id) < ($1, $2::uuid)) ${state ? inState[state] : ''}
     order by created_at desc, id desc limit $3`,
    [at, id, limit],
  );
}

const STATE = `case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'queued' end`;

/** Where emails went, and how far they came, by their ids. */
export async function findDelivery(
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, { address: string; state: EmailState }>> {
  const rows = await sql.query<{ id: string; address: string; state: EmailState }>(
    `select id, recipient as address, ${STATE} as state from mails where id = any($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, ...delivery }) => [id, delivery]));
}

interface OwnPage {
  developerId: string;
  state: EmailState | undefined;
  kind: string | undefined;
  /** The normalized address. */
  recipientKey: string | null;
  after: string | null;
  limit: number;
}

/** What customers were sent in a developer's name, newest first. */
export async function findCustomerEmails(sql: Sql, page: OwnPage): Promise<OwnEmailView[]> {
  const { developerId, state, kind, recipientKey, after, limit } = page;
  return sql.query<OwnEmailView>(
    `select id, kind, recipient, subject, attempts, error, created_at, sent_at, failed_at,
       ${STATE} as state
     from mails where developer_id = $1 and kind = any($2) and ($3::text is null or recipient_key = $3)
       and ($4::uuid is null or id < $4) ${state ? inState[state] : ''}
     order by id desc limit $5`,
    [developerId, kind === undefined ? customerEmailKinds : [kind], recipientKey, after, limit],
  );
}
