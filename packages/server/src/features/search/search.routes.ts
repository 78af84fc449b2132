import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { Id, privateAnswers, Time } from '#platform/http/schemas.ts';
import { codeOfEmail } from '#platform/text/code-in-text.ts';
import type { Search } from './search.service.ts';

const Month = z.string().describe('`YYYY-MM` (UTC).');
const Numbered = z.string().describe('Such as `2026-0007`.');

const Found = z
  .object({
    serials: z.array(
      z.object({ id: Id, code: z.string(), product_name: z.string(), redeemed: z.boolean(), revoked: z.boolean() }),
    ),
    customers: z.array(
      z.object({ id: Id, email: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() }),
    ),
    orders: z
      .array(
        z.object({
          id: Id,
          number: z.string().describe('As people call it.'),
          state: z.string().describe('Its state, as `listShopOrders` has it.'),
          shop_name: z.string().describe('What you call the shop.'),
        }),
      )
      .describe('Orders of shops with the number.'),
    products: z.array(z.object({ id: Id, name: z.string(), image_url: z.string().nullable(), is_draft: z.boolean() })),
    batches: z
      .array(
        z.object({
          id: Id,
          batch_tag: z.string().nullable(),
          product_name: z.string(),
          quantity: z.number().int(),
          created_at: Time,
        }),
      )
      .describe('Those whose tag has the words.'),
    resellers: z.array(z.object({ id: Id, name: z.string() })).describe('Those whose name has the words.'),
    statements: z
      .array(z.object({ id: Id, number: Numbered, month: Month, reseller_name: z.string() }))
      .describe('The payout statement with the number.'),
    invoices: z.array(z.object({ id: Id, number: Numbered, month: Month })).describe('The invoice with the number.'),
  })
  .meta({ id: 'SearchResult' });

/** Each kind that is found needs its own of these. */
const SEARCHED = [
  'customers:read',
  'serials:read',
  'shops:read',
  'products:read',
  'resellers:read',
  'payouts:read',
  'account:read',
] as const;

export function searchRoutes(search: Search) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/search',
      {
        config: { access: { as: 'user', role: 'developer', scope: SEARCHED } },
        schema: {
          operationId: 'search',
          tags: ['search'],
          summary: 'Find a serial, a customer, an order, a product, a batch, a reseller, a statement or an invoice',
          description:
            'The first five of each: serials by the start of the code or the whole reference of a reseller’s order, redeemed ones by the last four characters too; customers by name or address; orders of shops by their whole number; products and resellers by name; batches by their tag; statements and invoices by their whole number, also in words such as `Invoice 2026-0007`. The id of any of them finds it. An access token finds what its scopes read.',
          querystring: z.object({ q: z.string().trim().overwrite(codeOfEmail).min(1).max(200) }),
          response: privateAnswers({ 200: Found }),
        },
      },
      async (request) => search.find(callerOf(request), request.query.q),
    );
  };
}
