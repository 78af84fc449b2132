import { randomUUID } from 'node:crypto';
import { type ApiHost, answer, send } from './api-host.ts';

interface Sale {
  id: string;
  email: string;
  product: string;
  price: number;
  quantity: number;
  created: Date;
  refundedCents: number;
  refunded: boolean;
  chargedback: boolean;
  disputeWon: boolean;
  /** Of the seller's own form, which overwrite those of Gumroad. */
  fields: Record<string, string>;
  more: object;
}

/** A Gumroad account: a ping is an unsigned form, never repeated after a time-out, in which a customer's fields overwrite Gumroad's. */
export class GumroadShop {
  readonly key = 'gumroad_access_token_0123456789';
  readonly sales = new Map<string, Sale>();
  readonly #address: string;

  constructor({ address }: { address: string }, host: ApiHost) {
    this.#address = address;
    host.serve('gumroad', ({ path, query, authorization }) => {
      if (authorization !== `Bearer ${this.key}`) return answer({ status: 401, json: {} });
      if (path === '/v2/sales') {
        const all = [...this.sales.values()];
        const from = Number(query.get('page_key') ?? 0);
        return {
          success: true,
          sales: all.slice(from, from + 2).map(apiSale),
          ...(from + 2 < all.length ? { next_page_key: String(from + 2) } : {}),
        };
      }
      const sale = this.sales.get(path.replace('/v2/sales/', ''));
      return sale && { success: true, sale: apiSale(sale) };
    });
  }

  sell(email: string, product: string, fields: Partial<Sale> = {}): Sale {
    const sale: Sale = {
      id: `${randomUUID().slice(0, 8)}==`,
      email,
      product,
      price: 4900,
      quantity: 1,
      created: new Date(Date.now() - 60_000),
      refundedCents: 0,
      refunded: false,
      chargedback: false,
      disputeWon: false,
      fields: {},
      more: {},
      ...fields,
    };
    this.sales.set(sale.id, sale);
    return sale;
  }

  /** The ping of a sale, or what a subscription to a resource sends. */
  async tell(sale: Pick<Sale, 'id'> & Partial<Sale>, resource?: string, test = false): Promise<number> {
    const form = new URLSearchParams({
      sale_id: sale.id,
      product_id: sale.product ?? 'nothing',
      email: sale.email ?? '',
      price: String(sale.price ?? 0),
      currency: 'usd',
      test: String(test),
      ...(resource ? { resource_name: resource } : {}),
      ...sale.fields,
    });
    return (await send(this.#address, { 'content-type': 'application/x-www-form-urlencoded' }, form.toString())).status;
  }
}

const apiSale = (sale: Sale) => ({
  id: sale.id,
  email: sale.email,
  full_name: 'Nina Simone',
  created_at: sale.created.toISOString(),
  product_id: sale.product,
  product_name: sale.product,
  order_id: 4711,
  price: sale.price,
  quantity: sale.quantity,
  refunded: sale.refunded,
  partially_refunded: !sale.refunded && sale.refundedCents > 0,
  amount_refunded_in_cents: sale.refundedCents,
  chargedback: sale.chargedback,
  disputed: sale.chargedback,
  dispute_won: sale.disputeWon,
  ...sale.more,
});
