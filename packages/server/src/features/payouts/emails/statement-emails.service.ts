import { sql } from 'kysely';
import { openEmailOf } from '#features/accounts';
import type { Clock } from '#platform/clock.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import type { Email, EmailQueue } from '#platform/email/mailer.ts';
import { jobKind } from '#platform/jobs/job.ts';
import { money } from '#platform/paper/words.ts';
import type { PayoutsDb, PayoutsHandle } from '../tables.ts';
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
  db: PayoutsDb;
  clock: Clock;
  emailQueue: EmailQueue;
  publicUrl: string;
}

interface Row extends Omit<Stated, 'url'>, Columns<'payouts', 'id'> {
  reseller_email: string | null;
}

const BATCH = 200;
const MOST_ROWS = 20;

/** Statements `o` of a developer's month. */
const ofMonth = (handle: PayoutsHandle, developerId: string, month: string) =>
  handle
    .selectFrom('payouts as o')
    .where('o.developer_id', '=', developerId)
    .where(inList('o.closed_at'))
    .where('o.month', '=', month);

/** A reseller with nothing but an amount brought forward has seen it before. */
async function toAnnounce(handle: PayoutsHandle, developerId: string, ids: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select o.id, o.number, o.month, o.parties #>> '{developer,name}' as developer, o.parties #>> '{reseller,name}' as reseller,
      o.total_redemptions, o.due_cents, o.due_cents - o.paid_cents + o.carried_cents as outstanding_cents,
      case when o.total_redemptions + o.adjustments > 0 then u.email end as reseller_email
    from payouts o ${ownJoin('partnerships as p', 'p.id', 'o.partnership_id')}
      left join users u on u.id = p.reseller_id and u.deleted_at is null
    where o.developer_id = ${developerId} and o.id = any(${ids}::uuid[]) order by o.id`.execute(handle);
  return rows;
}

/** Emails about new statements. */
export class StatementEmails {
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
    return db.work({ tx: true }, async (tx) => {
      // locked by themselves: a lock goes to one table on one machine
      const found = await ofMonth(tx, developerId, month)
        .select('o.id')
        .where('o.announced_at', 'is', null)
        .orderBy('o.id')
        .limit(BATCH + 1)
        .forUpdate()
        .execute();
      if (found.length === 0) return false;
      const ids = found.slice(0, BATCH).map(({ id }) => id);
      const rows = await toAnnounce(tx, developerId, ids);
      for (const row of rows) {
        if (!row.reseller_email) continue;
        await emailQueue.queue(
          tx,
          statementEmail(row.reseller_email, { ...row, url: `${publicUrl}/reseller/payouts/${row.id}` }),
        );
      }
      await tx
        .updateTable('payouts')
        .set({ announced_at: clock.now() })
        .where('developer_id', '=', developerId)
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute();
      // the transaction of the last batch emails the developer about all of them
      if (found.length > BATCH) return true;
      const email = await this.#summary(tx, developerId, month);
      if (email) await emailQueue.queue(tx, email);
      return false;
    });
  }

  async #summary(tx: PayoutsHandle, developerId: string, month: string): Promise<Email | null> {
    const to = await openEmailOf(tx, developerId);
    if (to === undefined) return null;
    const total = await ofMonth(tx, developerId, month)
      .select(({ fn }) => [
        fn.countAll<number>().as('statements'),
        sql<number>`coalesce(sum(o.due_cents) filter (where o.due_cents > 0), 0)::bigint`.as('due_cents'),
      ])
      .executeTakeFirstOrThrow();
    const largest = await ofMonth(tx, developerId, month)
      .select([sql<string>`o.parties #>> '{reseller,name}'`.as('reseller'), 'o.due_cents'])
      .orderBy('o.due_cents', 'desc')
      .orderBy('o.id')
      .limit(MOST_ROWS)
      .execute();
    return monthClosedEmail(to, {
      month,
      ...total,
      url: `${this.#deps.publicUrl}/dashboard/payouts`,
      rows: largest.map(({ reseller, due_cents }) => [reseller, money(due_cents)]),
    });
  }
}
