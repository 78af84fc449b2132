import { DAY } from '#platform/clock.ts';
import { utcDay } from '#platform/time/days.ts';
import type { OrderSnapshot } from '../connectors/port.ts';
import type { RateOf } from '../orders/merge.ts';
import type { ShopsHandle } from '../tables.ts';

/** A rate is of the day, or of the last working day before it. */
const OLDEST = 7 * DAY;

/** Dollars for one of a currency on a day; null: nobody knows. */
export async function findRate(tx: ShopsHandle, currency: string, at: Date): Promise<string | null> {
  const found = await tx
    .selectFrom('shop_rates')
    .select('usd')
    .where('currency', '=', currency)
    .where('day', '<=', utcDay(at))
    .where('day', '>', utcDay(new Date(at.getTime() - OLDEST)))
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.usd ?? null;
}

/**
 * The rates that versions of an order are counted with: those of the day on which it was paid.
 * @param known what was found before in the same transaction.
 */
export async function ratesFor(
  tx: ShopsHandle,
  orders: readonly Pick<OrderSnapshot, 'currency' | 'paidAt' | 'versionAt'>[],
  known = new Map<string, string | null>(),
): Promise<RateOf> {
  const rates = new Map<string, string | null>();
  for (const { currency, paidAt, versionAt } of orders) {
    if (currency === 'USD' || rates.has(currency)) continue;
    const at = paidAt ?? versionAt;
    const key = `${currency} ${utcDay(at)}`;
    if (!known.has(key)) known.set(key, await findRate(tx, currency, at));
    rates.set(currency, known.get(key) ?? null);
  }
  return (currency) => rates.get(currency) ?? null;
}
