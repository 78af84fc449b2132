import type { Sql } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import type { EmailState, EmailView } from './notifications.schemas.ts';

export const INSERT_MAILS = `
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

export async function findMails(sql: Sql, { state, after, limit }: Page): Promise<EmailView[]> {
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
