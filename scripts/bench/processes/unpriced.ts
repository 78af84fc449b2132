/**
 * Loaded before a server: it counts redemptions as they were counted before they had prices, by the plan and the month's counter
 * alone, two statements instead of one. Everything else of a redemption stays.
 */
import pg from 'pg';

const { query } = pg.Client.prototype;
const PRICED = /insert into usage_months as u .*insert into usage_days as d .*cost_cents = d\.cost_cents/s;

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

async function unpriced(client: pg.Client, [developerId, month]: unknown[]) {
  const ask = (text: string, values: unknown[]) => (query as Query).call(client, { text, values });
  await ask('select plan from users where id = $1', [developerId]);
  await ask(
    `insert into usage_months as u (developer_id, month, redemptions) values ($1, $2, 1)
     on conflict (developer_id, month) do update set redemptions = u.redemptions + 1
     where u.closed_at is null and ($3::int is null or u.redemptions < $3)
     returning redemptions`,
    [developerId, month, null],
  );
  return { rows: [{ ordinal: 1_000_000, plan: 'elite', cost_cents: 0 }], rowCount: 1 };
}

const patched: Query = function (...given) {
  const [what, values] = given as [string | pg.QueryConfig, unknown[] | undefined];
  const text = typeof what === 'string' ? what : what?.text;
  if (typeof text !== 'string' || !PRICED.test(text)) return (query as Query).apply(this, given);
  return unpriced(this, (typeof what === 'string' ? values : what.values) ?? []);
};
pg.Client.prototype.query = patched as typeof query;
