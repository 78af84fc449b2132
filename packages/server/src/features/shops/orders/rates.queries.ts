import { DAY } from '#platform/clock.ts';
import { utcDay } from '#platform/time/days.ts';
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
