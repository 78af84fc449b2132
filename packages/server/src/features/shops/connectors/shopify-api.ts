import { z } from 'zod';
import { ShopAway, ShopRefuses } from './api.ts';
import type { ApiConnector, ListPage, Reading, ShopApi } from './port.ts';
import { AnyId, idIn, problemIn } from './reading.ts';

// The list of a Shopify shop's orders, by an app of the seller's own (client id, client secret, the shop's domain): the webhooks need no app.

const VERSION = '2026-10';
const PER_PAGE = 25;

const QUERY = `query($query: String!, $after: String) {
  orders(first: ${PER_PAGE}, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes {
      legacyResourceId name email test displayFinancialStatus currencyCode taxesIncluded customerLocale
      createdAt processedAt updatedAt cancelledAt
      totalPriceSet { shopMoney { amount currencyCode } }
      customer { firstName lastName }
      billingAddress { countryCodeV2 }
      lineItems(first: 100) { nodes {
        id sku title quantity isGiftCard
        product { legacyResourceId } variant { legacyResourceId }
        originalUnitPriceSet { shopMoney { amount currencyCode } }
        discountAllocations { allocatedAmountSet { shopMoney { amount currencyCode } } }
        taxLines { priceSet { shopMoney { amount currencyCode } } }
      } }
      refunds(first: 50) {
        legacyResourceId createdAt
        refundLineItems(first: 100) { nodes { quantity lineItem { id } } }
        transactions(first: 20) { nodes { kind status amountSet { shopMoney { amount currencyCode } } } }
      }
    }
  }
}`;

const Money = z
  .object({ shopMoney: z.object({ amount: z.string(), currencyCode: z.string() }) })
  .transform(({ shopMoney: { amount, currencyCode } }) => ({ shop_money: { amount, currency_code: currencyCode } }));
const nodesOf = <Node extends z.ZodType>(node: Node) =>
  z.object({ nodes: z.array(node) }).transform(({ nodes }) => nodes);
/** `gid://shopify/LineItem/77` */
const Gid = z.string().transform((gid) => gid.split('/').at(-1) ?? gid);
const Ref = z.object({ legacyResourceId: AnyId }).nullish();

const Node = z.object({
  legacyResourceId: AnyId,
  name: z.string(),
  email: z.string().nullish(),
  test: z.boolean(),
  displayFinancialStatus: z.string().nullish(),
  currencyCode: z.string(),
  taxesIncluded: z.boolean(),
  customerLocale: z.string().nullish(),
  createdAt: z.string(),
  processedAt: z.string().nullish(),
  updatedAt: z.string(),
  cancelledAt: z.string().nullish(),
  totalPriceSet: Money.optional(),
  customer: z.object({ firstName: z.string().nullish(), lastName: z.string().nullish() }).nullish(),
  billingAddress: z.object({ countryCodeV2: z.string().nullish() }).nullish(),
  lineItems: nodesOf(
    z.object({
      id: Gid,
      sku: z.string().nullish(),
      title: z.string().nullish(),
      quantity: z.int(),
      isGiftCard: z.boolean().default(false),
      product: Ref,
      variant: Ref,
      originalUnitPriceSet: Money,
      discountAllocations: z.array(z.object({ allocatedAmountSet: Money })).default([]),
      taxLines: z.array(z.object({ priceSet: Money })).default([]),
    }),
  ),
  refunds: z
    .array(
      z.object({
        legacyResourceId: AnyId,
        createdAt: z.string().nullish(),
        refundLineItems: nodesOf(z.object({ quantity: z.int(), lineItem: z.object({ id: Gid }) })),
        transactions: nodesOf(z.object({ kind: z.string(), status: z.string().nullish(), amountSet: Money })),
      }),
    )
    .default([]),
});
const Answer = z.object({
  data: z.object({
    orders: z.object({
      nodes: z.array(z.unknown()),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
    }),
  }),
});
const Errors = z.object({
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }).partial().optional() })),
});

/** @param readings of an order and of a refund as webhooks have them. */
export const shopifyApi = (readings: {
  order: (json: unknown) => Reading;
  refund: (json: unknown) => Reading;
}): ApiConnector => ({
  needs: ['address', 'key', 'secret'],
  every: 1440,
  isNeeded: () => false,
  base: ({ address = '' }) => (/^https?:\/\//.test(address) ? address : `https://${address}`).replace(/\/+$/, ''),
  opens: () => ({}),
  async probe(shop) {
    await ask(shop, await tokenOf(shop), { query: 'updated_at:>2100-01-01', after: null });
  },
  complete: async (reading) => reading,
  async changes(shop, since, page): Promise<ListPage> {
    // it lasts a day, and is asked for with each page: nothing of it is kept
    const token = await tokenOf(shop);
    const { nodes, pageInfo } = await ask(shop, token, { query: `updated_at:>'${since.toISOString()}'`, after: page });
    return {
      next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
      readings: nodes.flatMap((node) => readingsOf(node, readings)),
    };
  },
});

async function tokenOf(shop: ShopApi): Promise<string> {
  const { key = '', secret = '' } = shop.credentials;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: key, client_secret: secret });
  const { json } = await shop.ask('/admin/oauth/access_token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const token = idIn((json as { access_token?: unknown } | null)?.access_token);
  if (token === null)
    throw new ShopRefuses(
      'The shop’s API gives no access to this app. The app and the shop have to be of one organisation, and the app installed.',
    );
  return token;
}

async function ask(shop: ShopApi, token: string, variables: { query: string; after: string | null }) {
  const { json } = await shop.ask(`/admin/api/${VERSION}/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
    body: JSON.stringify({ query: QUERY, variables }),
  });
  const failed = Errors.safeParse(json);
  if (failed.success) {
    const [first] = failed.data.errors;
    if (first?.extensions?.code === 'THROTTLED') throw new ShopAway('The shop’s API has too much to do.');
    throw new ShopRefuses(`The shop’s API answers: ${(first?.message ?? 'no').slice(0, 200)}`);
  }
  const read = Answer.safeParse(json);
  if (!read.success) throw new ShopRefuses(`The shop’s API answers otherwise than expected: ${problemIn(read.error)}`);
  return read.data.data.orders;
}

function readingsOf(node: unknown, { order, refund }: Parameters<typeof shopifyApi>[0]): ListPage['readings'] {
  const read = Node.safeParse(node);
  if (!read.success) return [];
  const { legacyResourceId: orderKey, refunds, ...fields } = read.data;
  const sale = order({
    id: orderKey,
    name: fields.name,
    email: fields.email,
    test: fields.test,
    financial_status: fields.displayFinancialStatus?.toLowerCase(),
    currency: fields.currencyCode,
    taxes_included: fields.taxesIncluded,
    customer_locale: fields.customerLocale,
    created_at: fields.createdAt,
    processed_at: fields.processedAt,
    updated_at: fields.updatedAt,
    cancelled_at: fields.cancelledAt,
    total_price_set: fields.totalPriceSet,
    customer: fields.customer && { first_name: fields.customer.firstName, last_name: fields.customer.lastName },
    billing_address: fields.billingAddress && { country_code: fields.billingAddress.countryCodeV2 },
    line_items: fields.lineItems.map((line) => ({
      id: line.id,
      sku: line.sku,
      title: line.title,
      quantity: line.quantity,
      gift_card: line.isGiftCard,
      product_id: line.product?.legacyResourceId,
      variant_id: line.variant?.legacyResourceId,
      price_set: line.originalUnitPriceSet,
      discount_allocations: line.discountAllocations.map(({ allocatedAmountSet }) => ({
        amount_set: allocatedAmountSet,
      })),
      tax_lines: line.taxLines.map(({ priceSet }) => ({ price_set: priceSet })),
    })),
  });
  const back = refunds.map((each) =>
    refund({
      id: each.legacyResourceId,
      order_id: orderKey,
      created_at: each.createdAt ?? undefined,
      refund_line_items: each.refundLineItems.map(({ quantity, lineItem }) => ({
        line_item_id: lineItem.id,
        quantity,
      })),
      transactions: each.transactions.map(({ kind, status, amountSet }) => ({
        kind: kind.toLowerCase(),
        status: status?.toLowerCase(),
        amount: amountSet.shop_money.amount,
      })),
    }),
  );
  return [sale, ...back].map((reading) => ({ orderKey, reading }));
}
