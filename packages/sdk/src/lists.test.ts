import { answer, serverWith } from '@tonerow/test-support/sdk-server.ts';
import { describe, expect, it } from 'vitest';

describe('lists', () => {
  it('go on by the cursor in the header', async () => {
    const { api } = await serverWith((request, response) =>
      request.url?.includes('cursor=c2')
        ? answer(response, 200, [{ id: '3' }])
        : answer(response, 200, [{ id: '1' }, { id: '2' }], { 'x-next-cursor': 'c2' }),
    );
    const ids: string[] = [];
    for await (const row of api.paginate.listProducts()) ids.push(row.id);
    expect(ids).toEqual(['1', '2', '3']);
  });

  it('end with the last cursor where a list has pages too', async () => {
    const { api } = await serverWith((request, response) => {
      const last = request.url?.includes('cursor');
      answer(response, 200, {
        rows: [{ id: last ? '2' : '1' }],
        next_cursor: last ? null : 'n',
        total: 2,
        page: 1,
        page_size: 1,
      });
    });
    const rows: string[] = [];
    for await (const row of api.paginate.listTransactions()) rows.push(row.id);
    expect(rows).toEqual(['1', '2']);
  });

  it('go on by the cursor in the body and by page', async () => {
    const { api, seen } = await serverWith((request, response) => {
      if (request.url?.startsWith('/api/serials/redeemed')) {
        const page = Number(/page=(\d+)/.exec(request.url)?.[1] ?? 1);
        answer(response, 200, { rows: [{ id: `r${page}` }], total: 3, page, page_size: 1 });
      } else
        answer(response, 200, {
          rows: [{ id: 's' }],
          next_cursor: request.url?.includes('cursor') ? null : 'n',
          total: 2,
        });
    });
    const rows: string[] = [];
    for await (const row of api.paginate.listSerials({ query: { state: 'available' } })) rows.push(row.id);
    for await (const row of api.paginate.listRedeemedSerials()) rows.push(row.id);
    expect(rows).toEqual(['s', 's', 'r1', 'r2', 'r3']);
    expect(seen[1]?.url).toBe('/api/serials?state=available&cursor=n');
  });
});
