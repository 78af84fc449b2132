import { type Clock, DAY } from '../../platform/clock.ts';
import { dayOf, startOfDay } from '../../platform/days.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { jobKind } from '../../platform/jobs/job.ts';
import { type Digest, digestEmail } from './emails.ts';
import type { Mails } from './mails.service.ts';
import type { Unsubscribing } from './unsubscribe.service.ts';

export const dailyDigestJob = jobKind({
  name: 'daily-digest',
  cron: '3 * * * *',
  retryLimit: 2,
  retryDelay: 60,
  expireInSeconds: 600,
});

interface Dependencies {
  db: Database;
  clock: Clock;
  mails: Mails;
  unsubscribing: Unsubscribing;
  publicUrl: string;
}

interface Due {
  email: string;
  time_zone: string;
  digested_until: Date | null;
  midnight: Date;
}

const MOST_PRODUCTS = 20;
/** How many days a digest catches up on: after a year without emails it does not cover the whole year. */
const MOST_DAYS = 7;

const MIDNIGHT = `(date_trunc('day', $1::timestamptz at time zone u.time_zone) at time zone u.time_zone)`;
const IS_DUE = `u.deleted_at is null and u.role = 'developer' and u.notify_redemptions and u.redemption_emails = 'daily'
  and extract(hour from $1::timestamptz at time zone u.time_zone) = 8
  and (u.digested_until is null or u.digested_until < ${MIDNIGHT})`;

/** One email a day, at eight in the morning of the account, about the redemptions up to its last midnight. */
export class Digests {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Hourly. An account that fails is tried again by the next run; the others are not kept from theirs. */
  async run(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const failures: unknown[] = [];
    for (const { id } of await db.query<{ id: string }>(`select u.id from users u where ${IS_DUE}`, [now])) {
      await this.#tell(id, now).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} daily emails could not be queued`);
  }

  /** The row decides who sends it: the second of two workers finds that it is no longer due. */
  async #tell(id: string, now: Date): Promise<void> {
    const { db, mails, unsubscribing, publicUrl } = this.#deps;
    await db.transaction(async (tx) => {
      const [due] = await tx.query<Due>(
        `with u as (select * from users where id = $2 for update)
         update users set digested_until = ${MIDNIGHT} from u where users.id = u.id and ${IS_DUE}
         returning u.email, u.time_zone, u.digested_until, users.digested_until as midnight`,
        [now, id],
      );
      if (!due) return;
      const digest = await digestOf(tx, id, due);
      if (digest.redemptions === 0) return;
      const page = `${publicUrl}/dashboard/analytics`;
      const unsubscribeUrl = unsubscribing.url(id, 'redemptions');
      const mail = digestEmail(due.email, digest, { page, unsubscribeUrl });
      await mails.queue(tx, mail, { kind: 'developer_redemptions', developerId: id });
    });
  }
}

async function digestOf(sql: Sql, developerId: string, due: Due): Promise<Digest> {
  const { midnight, time_zone: timeZone } = due;
  const lastMoment = new Date(midnight.getTime() - 1);
  const daysBack = (days: number) => startOfDay(dayOf(new Date(lastMoment.getTime() - days * DAY), timeZone), timeZone);
  const earliest = daysBack(MOST_DAYS - 1);
  const told = due.digested_until ?? daysBack(0);
  const from = new Date(Math.max(told.getTime(), earliest.getTime()));
  const rows = await sql.query<{
    name: string;
    n: number;
    cents: number;
    all_n: number;
    all_cents: number;
    kinds: number;
  }>(
    `select p.name, count(*) as n, sum(r.final_price_cents) as cents, count(*) over () as kinds,
       (sum(count(*)) over ())::int8 as all_n, (sum(sum(r.final_price_cents)) over ())::int8 as all_cents
     from redemptions r join products p on (p.developer_id, p.id) = (r.developer_id, r.product_id)
     where r.developer_id = $1 and ${listOf('r', 'redeemed_at')} and r.redeemed_at >= $2 and r.redeemed_at < $3 and r.source <> 'import'
     group by p.id, p.name order by n desc, cents desc, p.name limit $4`,
    [developerId, from, midnight, MOST_PRODUCTS],
  );
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  const [first, last] = [words.format(from), words.format(lastMoment)];
  return {
    when: first === last ? `on ${last}` : `from ${first} to ${last}`,
    redemptions: Number(rows[0]?.all_n ?? 0),
    revenueCents: Number(rows[0]?.all_cents ?? 0),
    products: rows.map(({ name, n, cents }) => ({ name, redemptions: Number(n), revenueCents: Number(cents) })),
    productCount: Number(rows[0]?.kinds ?? 0),
  };
}
