import { sql } from 'kysely';
import type { Egress } from '#platform/egress/egress.ts';
import { decimalsOf } from '../money.ts';
import type { ShopsDb } from '../tables.ts';

/** The bank's file of 90 days has a tenth of that. */
const MOST_BYTES = 2 * 1024 * 1024;
/** Days that are kept: an order is counted by the day on which it was paid. */
const MOST_DAYS = 100;

interface Rate {
  currency: string;
  day: string;
  usd: string;
}

/** Digits of a rate; amounts are counted with twelve. */
const DIGITS = 10;

/**
 * Reads the European Central Bank's file, which has what a euro is worth in other currencies on each day. A day without the dollar has
 * nothing about dollars, and what is no rate is left out.
 */
export function ratesIn(xml: string): Rate[] {
  const days = xml.split(/<Cube\s+time=/).slice(1, MOST_DAYS + 1);
  return days.flatMap((text) => {
    const day = /^['"](\d{4}-\d\d-\d\d)['"]/.exec(text)?.[1];
    const rates = [...text.matchAll(/<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"](\d{1,9}(?:\.\d{1,9})?)['"]/g)];
    const dollar = Number(rates.find(([, currency]) => currency === 'USD')?.[2]);
    if (!day || !(dollar > 0)) return [];
    const others = rates.flatMap(([, currency = '', rate]) => {
      const worth = dollar / Number(rate);
      return currency !== 'USD' && decimalsOf(currency) !== null && Number.isFinite(worth) && worth > 0
        ? [{ currency, day, usd: worth.toFixed(DIGITS) }]
        : [];
    });
    return [{ currency: 'EUR', day, usd: dollar.toFixed(DIGITS) }, ...others];
  });
}

interface Dependencies {
  db: ShopsDb;
  egress: Egress;
  shopSettings: { ratesUrl: string | undefined };
}

/** Rates of other currencies in dollars, read once a day. */
export class Rates {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The job. A day that is known stays as it is, so that nothing is counted twice in two ways. */
  async read(): Promise<void> {
    const { db, egress, shopSettings } = this.#deps;
    const { ratesUrl } = shopSettings;
    if (ratesUrl === undefined) return;
    const headers = { accept: 'application/xml, text/xml' };
    const { error, status, text } = await egress.ask(ratesUrl, { bytes: MOST_BYTES, headers });
    const rates = error === null && text !== null ? ratesIn(text) : [];
    if (rates.length === 0)
      throw new Error(
        `TONEROW_RATES_URL has no rates: ${error ?? 'none in it'}${status === null ? '' : ` (${status})`}`,
      );
    await sql`
      insert into shop_rates (currency, day, usd)
      select * from unnest(${rates.map(({ currency }) => currency)}::text[], ${rates.map(({ day }) => day)}::date[],
        ${rates.map(({ usd }) => usd)}::text[])
      on conflict (currency, day) do nothing`.execute(db);
  }
}
