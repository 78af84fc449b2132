import { z } from 'zod';
import { centsIn } from '#platform/money.ts';
import { utcDay } from '#platform/time/days.ts';
import { decimalOf } from '../money.ts';
import { ShopRefuses } from './api.ts';
import type {
  ApiConnector,
  Connector,
  Inbound,
  Label,
  ListPage,
  OrderSnapshot,
  Reading,
  ReversalSnapshot,
  ShopApi,
  Verdict,
} from './port.ts';
import { AnyId, idIn, Moment, namesIn, problemIn, Text } from './reading.ts';

// Gumroad's pings are not signed, and a customer's own fields can overwrite theirs. So a ping is only a reason to
// look: the API's data about the sale that it names counts.

const Sale = z.object({
  id: z.string(),
  email: Text,
  purchase_email: Text,
  full_name: Text,
  created_at: Moment,
  product_id: AnyId.nullish(),
  product_name: Text,
  order_id: AnyId.nullish(),
  /** Cents of the dollar for all of it, whatever the customer paid in. */
  price: z.int(),
  quantity: z.int().min(1).max(10_000).default(1),
  country_iso2: Text,
  refunded: z.boolean().default(false),
  partially_refunded: z.boolean().default(false),
  /** The amount that could still be given back, in the currency that the customer was shown, such as `24.50`. */
  amount_refundable_in_currency: Text,
  currency_symbol: Text,
  /** In that currency, such as `€1.234,50 a month`. */
  formatted_total_price: Text,
  chargedback: z.boolean().default(false),
  disputed: z.boolean().default(false),
  dispute_won: z.boolean().default(false),
  test: z.boolean().default(false),
  is_gift_sender_purchase: z.boolean().default(false),
  is_preorder_authorization: z.boolean().default(false),
  is_recurring_charge: z.boolean().default(false),
});
type Sale = z.output<typeof Sale>;
const One = z.object({ success: z.boolean(), sale: Sale });
const Page = z.object({ sales: z.array(z.unknown()), next_page_key: Text });

/** Events that its ping leaves out. Each is sent to every address that has subscribed to it, once per subscription. */
const UNPINGED = ['refund', 'dispute', 'dispute_won'];
const Subscriptions = z.object({ resource_subscriptions: z.array(z.object({ id: AnyId, post_url: Text })) });
const SUBSCRIPTIONS = '/v2/resource_subscriptions';
const Made = z.object({ success: z.boolean(), message: Text });

const api: ApiConnector = {
  needs: ['key'],
  every: 15,
  isNeeded: () => true,
  base: () => 'https://api.gumroad.com',
  opens: ({ key = '' }) => ({ authorization: `Bearer ${key}` }),
  probe: (shop) => shop.ask('/v2/sales'),
  async complete(reading, shop) {
    if (!('lacks' in reading) || !reading.lacks) return reading;
    const { status, json } = await shop.ask(`/v2/sales/${encodeURIComponent(reading.lacks)}`);
    if (status === 404) return { ignored: 'Gumroad knows no such sale, so it is not from there.' };
    const read = One.safeParse(json);
    return read.success ? saleReading(read.data.sale) : { unusable: `sale: ${problemIn(read.error)}`.slice(0, 300) };
  },
  async changes(shop, _since, page, sold): Promise<ListPage> {
    const { json } = await shop.ask(
      `/v2/sales?after=${utcDay(sold)}${page === null ? '' : `&page_key=${encodeURIComponent(page)}`}`,
    );
    const read = Page.safeParse(json);
    if (!read.success) return { readings: [], next: null };
    return {
      next: read.data.next_page_key,
      readings: read.data.sales.flatMap((each) => {
        const sale = Sale.safeParse(each);
        return sale.success ? [{ orderKey: sale.data.id, reading: saleReading(sale.data) }] : [];
      }),
    };
  },
  async subscribe(shop, address) {
    for (const resource of UNPINGED) {
      if ((await subscriptionsTo(shop, resource, address)).length > 0) continue;
      const { json: answer } = await shop.ask(SUBSCRIPTIONS, {
        method: 'PUT',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ resource_name: resource, post_url: address }).toString(),
      });
      const made = Made.safeParse(answer);
      if (!made.success) throw refuses(problemIn(made.error));
      if (!made.data.success) throw refuses(made.data.message);
    }
  },
  leaving: {
    async made(shop, address) {
      const ids: string[] = [];
      for (const resource of UNPINGED)
        ids.push(...(await subscriptionsTo(shop, resource, address)).map(({ id }) => id));
      return ids;
    },
    async end(shop, ids) {
      // one that is not found by then is gone
      for (const id of ids) await shop.ask(`${SUBSCRIPTIONS}/${encodeURIComponent(id)}`, { method: 'DELETE' });
    },
    byHand:
      'Gumroad still reports refunds and disputes here. In Gumroad, open Settings › Advanced › Applications and delete the one whose token you had entered.',
  },
};

async function subscriptionsTo(shop: ShopApi, resource: string, address: string) {
  // those of other applications end with these
  const { json } = await shop.ask(`${SUBSCRIPTIONS}?resource_name=${resource}&current_oauth_application_only=true`);
  const known = Subscriptions.safeParse(json);
  if (!known.success) throw refuses(problemIn(known.error));
  return known.data.resource_subscriptions.filter(({ post_url }) => post_url === address);
}

const refuses = (why: string | null) =>
  new ShopRefuses(
    `Gumroad’s API does not send refunds and disputes to this shop’s address here: ${why ?? 'no reason'}`,
  );

const EVENTS = new Set(['sale', ...UNPINGED, 'cancellation']);

export const gumroad: Connector = {
  api,

  /** Only its address shows that it may be from there. */
  verify({ body }: Inbound): Verdict {
    return fieldsOf(body).get('sale_id')
      ? { ok: true }
      : { ok: false, why: 'It names no sale_id, as Gumroad’s pings do.' };
  },

  label({ body }): Label {
    const fields = fieldsOf(body);
    const named = fields.get('resource_name') ?? 'sale';
    const event = EVENTS.has(named) ? named : 'sale';
    const base = { key: null, event, orderKey: idIn(fields.get('sale_id')), test: null };
    // it repeats the last real sale
    if (fields.get('test') === 'true') return { ...base, ignored: 'It is a test ping, which repeats a sale.' };
    return event === 'cancellation' ? { ...base, ignored: 'What was sold stays sold.' } : base;
  },

  read({ body }): Reading {
    const sale = idIn(fieldsOf(body).get('sale_id'));
    return sale === null ? { unusable: 'sale_id: not as expected' } : { lacks: sale };
  },
};

/** The fields of a form. Where a name comes twice, the first is Gumroad's own. */
const fieldsOf = (body: Buffer) => new URLSearchParams(body.length > MOST_BYTES ? '' : body.toString('utf8'));
const MOST_BYTES = 256 * 1024;

function saleReading(sale: Sale): Reading {
  if (sale.is_gift_sender_purchase)
    return { ignored: 'It is the giver’s half of a gift; the receiver’s gives the serial.' };
  if (sale.is_preorder_authorization) return { ignored: 'It is a preorder that is not charged yet.' };
  const order: OrderSnapshot = {
    id: sale.id,
    number: sale.order_id ?? sale.id,
    versionAt: sale.created_at,
    paidAt: sale.created_at,
    canceledAt: null,
    isTest: sale.test,
    currency: 'USD',
    email: sale.purchase_email ?? sale.email,
    ...namesIn(sale.full_name),
    language: null,
    country: sale.country_iso2,
    lines: [
      {
        id: sale.id,
        keys: sale.product_id ? [`product:${sale.product_id}`] : [],
        sku: null,
        name: sale.product_name ?? sale.product_id ?? sale.id,
        quantity: sale.quantity,
        netMinor: Math.max(0, sale.price),
        isRenewal: sale.is_recurring_charge,
      },
    ],
  };
  return { order, reversals: reversalsOf(sale) };
}

/**
 * The refunded amount in cents of the dollar. The shop only reports the rest of the price, in another currency. Both
 * that rest and the formatted total are the price without the tax that Gumroad adds, less what was given back of it, at
 * the rate of the sale. So a part of one is the same part of the other, to a cent or two where the currency has no
 * decimals. If the seller has changed the product's currency since, the rest is in the new one, and the part is wrong
 * by the rate between them. It is never more than the price, and the seller is asked about it as about any amount.
 */
function partlyRefunded({ price, amount_refundable_in_currency: refundable, ...sale }: Sale): number {
  const left = hundredthsIn(refundable);
  const total = sale.currency_symbol === '$' ? price : hundredthsIn(sale.formatted_total_price);
  // nothing is left either where the payment can no longer be refunded there, and then it is not known
  if (!left || !total) return 0;
  return Math.round((price * Math.max(0, total - left)) / total);
}

/** Reads an amount with a point or a comma before its cents, and signs of a currency around it. */
function hundredthsIn(text: string | null | undefined): number | null {
  const [written] = /\d[\d.,]*/.exec(text ?? '') ?? [];
  if (written === undefined) return null;
  const [, whole = '', part = '0'] = /^([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(written) ?? [];
  return centsIn(`${whole.replaceAll(/[.,]/g, '')}.${part}`);
}

function reversalsOf(sale: Sale): ReversalSnapshot[] {
  const base = { orderId: sale.id, lines: null, amount: null, undoes: null, happenedAt: null };
  const partly = partlyRefunded(sale);
  const refunds: ReversalSnapshot[] = sale.refunded
    ? [{ ...base, key: 'whole', kind: 'refund', isWhole: true }]
    : sale.partially_refunded
      ? [
          {
            ...base,
            key: `cum:${partly}`,
            kind: 'refund',
            isWhole: false,
            amount: decimalOf(partly, 'USD'),
          },
        ]
      : [];
  const dispute: ReversalSnapshot = { ...base, key: 'dispute', kind: 'chargeback', isWhole: true };
  if (sale.dispute_won)
    return [...refunds, dispute, { ...base, key: 'won', kind: 'reinstatement', isWhole: true, undoes: 'dispute' }];
  return sale.chargedback || sale.disputed ? [...refunds, dispute] : refunds;
}
