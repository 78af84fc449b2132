import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { EmailQueue, Mail } from '#platform/email/mailer.ts';
import { jobKind } from '#platform/jobs/job.ts';
import { money } from '#platform/paper/words.ts';
import { monthClosedEmail, type Stated, statementEmail } from './payout-emails.ts';

/** Emails both sides of the statements of a developer's month. Queued in the transaction that makes them. */
export const statementsMadeJob = jobKind<{ developerId: string; month: string }>({
  name: 'statements-made',
  retryLimit: 12,
  retryDelay: 5,
  expireInSeconds: 3600,
  isEmail: true,
});

interface Dependencies {
  db: Database;
  clock: Clock;
  emailQueue: EmailQueue;
  publicUrl: string;
}

interface Row extends Omit<Stated, 'url'> {
  id: string;
  developer_id: string;
  reseller_email: string | null;
}

const BATCH = 200;
const MOST_ROWS = 20;

/** A reseller with nothing but an amount brought forward has seen it before. */
const TO_ANNOUNCE = `
  select o.id, o.developer_id, o.number, o.month, o.parties #>> '{developer,name}' as developer, o.parties #>> '{reseller,name}' as reseller,
    o.total_redemptions, o.due_cents, o.due_cents - o.paid_cents + o.carried_cents as outstanding_cents,
    case when o.total_redemptions + o.adjustments > 0 then u.email end as reseller_email
  from payouts o join partnerships p on (p.developer_id, p.id) = (o.developer_id, o.partnership_id)
    left join users u on u.id = p.reseller_id and u.deleted_at is null
  where o.developer_id = $1 and ${listOf('o', 'closed_at')} and o.month = $2 and o.announced_at is null
  order by o.id limit ${BATCH + 1} for update of o`;

/** Emails about new statements. */
export class StatementNotices {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The job: one batch per transaction. A repeat continues where the last batch ended, so that nobody is emailed twice. */
  async run({ developerId, month }: { developerId: string; month: string }): Promise<void> {
    while (await this.#batch(developerId, month));
  }

  #batch(developerId: string, month: string): Promise<boolean> {
    const { db, clock, emailQueue, publicUrl } = this.#deps;
    return db.transaction(async (tx) => {
      const found = await tx.query<Row>(TO_ANNOUNCE, [developerId, month]);
      if (found.length === 0) return false;
      const rows = found.slice(0, BATCH);
      for (const row of rows) {
        if (!row.reseller_email) continue;
        await emailQueue.queue(
          tx,
          statementEmail(row.reseller_email, { ...row, url: `${publicUrl}/reseller/payouts/${row.id}` }),
        );
      }
      await tx.query('update payouts set announced_at = $3 where developer_id = $1 and id = any($2::uuid[])', [
        developerId,
        rows.map(({ id }) => id),
        clock.now(),
      ]);
      // the transaction of the last batch emails the developer about all of them
      if (found.length > BATCH) return true;
      const mail = await this.#summary(tx, developerId, month);
      if (mail) await emailQueue.queue(tx, mail);
      return false;
    });
  }

  async #summary(sql: Sql, developerId: string, month: string): Promise<Mail | null> {
    const [total] = await sql.query<{ email: string; statements: number; due_cents: number }>(
      `select u.email, count(*)::int as statements, coalesce(sum(o.due_cents) filter (where o.due_cents > 0), 0)::bigint as due_cents
       from payouts o join users u on u.id = o.developer_id and u.deleted_at is null
       where o.developer_id = $1 and ${listOf('o', 'closed_at')} and o.month = $2 group by u.email`,
      [developerId, month],
    );
    if (!total) return null;
    const largest = await sql.query<{ reseller: string; due_cents: number }>(
      `select o.parties #>> '{reseller,name}' as reseller, o.due_cents from payouts o
       where o.developer_id = $1 and ${listOf('o', 'closed_at')} and o.month = $2 order by o.due_cents desc, o.id limit ${MOST_ROWS}`,
      [developerId, month],
    );
    return monthClosedEmail(total.email, {
      month,
      ...total,
      url: `${this.#deps.publicUrl}/dashboard/payouts`,
      rows: largest.map(({ reseller, due_cents }) => [reseller, money(due_cents)]),
    });
  }
}
