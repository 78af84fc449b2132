import { z } from 'zod';
import { callerOf } from '../../platform/access/guard.ts';
import type { Clock } from '../../platform/clock.ts';
import { byIndex } from '../../platform/db/by-index.ts';
import type { Database } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { decodeNameCursor, type Page, pageOf } from '../../platform/http/cursor.ts';
import { pageHeaders } from '../../platform/http/page-headers.ts';
import { Cursor, Id, IdParams, Limit, privateAnswers } from '../../platform/http/schemas.ts';
import { type PartnerStockRow, partnerStock, type StockPage } from './partner-stock.ts';

const PartnerStock = z
  .object({
    product_id: Id,
    product_name: z.string(),
    image_url: z.string().nullable(),
    given: z.int().describe('Serials that were made for this reseller.'),
    available: z.int().describe('Serials that the reseller can sell now.'),
    not_for_sale: z
      .int()
      .describe('The others that nobody has: their deal has not begun or is over, or the product is a draft.'),
    handed_out: z.int().describe('Serials that the reseller has handed out, and nobody has redeemed yet.'),
    redeemed: z.int().describe('Serials that customers have redeemed.'),
    low: z
      .boolean()
      .describe('Whether fewer are left, those not for sale now included, than the threshold of the partnership.'),
  })
  .meta({ id: 'PartnerStock' });

const PageQuery = z.object({ limit: Limit, cursor: Cursor });

const PAGES = '`X-Total-Count` has the number of products, `X-Next-Cursor` the cursor of the next page.';

interface Dependencies {
  db: Database;
  clock: Clock;
}

/** What a reseller was given of each product and what became of it, for either side. */
export function partnerStockRoutes({ db, clock }: Dependencies) {
  const page = async (
    of: Pick<StockPage, 'reader' | 'developerId' | 'partnershipId'>,
    { limit, cursor }: z.output<typeof PageQuery>,
  ): Promise<Page<PartnerStockRow> & { total: number }> => {
    const after = decodeNameCursor(cursor);
    const { rows, total } = await byIndex(db, (sql) =>
      partnerStock(sql, { ...of, now: clock.now(), after, limit: limit + 1 }),
    );
    const shown = pageOf(
      rows.map((row) => ({ ...row, id: row.product_id })),
      limit,
      (last) => [last.sort_key, last.id],
    );
    return { ...shown, rows: shown.rows.map(({ sort_key, id, ...row }) => row), total };
  };
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/developer/resellers/:id/stock',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'resellers:read' } },
        schema: {
          operationId: 'getResellerStock',
          tags: ['resellers'],
          summary: 'Get a reseller’s stock by product',
          description: PAGES,
          params: IdParams,
          querystring: PageQuery,
          response: privateAnswers({ 200: z.array(PartnerStock) }, 404),
        },
      },
      async (request, reply) => {
        const { userId: developerId } = callerOf(request);
        const { id: partnershipId } = request.params;
        const own = await db.query('select 1 from partnerships where developer_id = $1 and id = $2', [
          developerId,
          partnershipId,
        ]);
        if (own.length === 0) throw notFound('Reseller');
        return pageHeaders(reply, await page({ reader: 'developer', developerId, partnershipId }, request.query));
      },
    );

    app.get(
      '/api/reseller/developers/:id/stock',
      {
        config: { access: { as: 'user', role: 'reseller', scope: 'stock:read' } },
        schema: {
          operationId: 'getPartnerStock',
          tags: ['partners'],
          summary: 'Get your stock of a developer’s products',
          description: `Without drafts; empty while the partnership is paused. ${PAGES}`,
          params: IdParams,
          querystring: PageQuery,
          response: privateAnswers({ 200: z.array(PartnerStock) }, 404),
        },
      },
      async (request, reply) => {
        const { id: developerId } = request.params;
        const [own] = await db.query<{ id: string; status: string }>(
          `select id, status from partnerships
           where developer_id = $1 and reseller_id = $2 and status in ('active', 'paused')`,
          [developerId, callerOf(request).userId],
        );
        if (!own) throw notFound('Developer');
        if (own.status === 'paused') return pageHeaders(reply, { rows: [], total: 0, next_cursor: null });
        return pageHeaders(
          reply,
          await page({ reader: 'reseller', developerId, partnershipId: own.id }, request.query),
        );
      },
    );
  };
}
