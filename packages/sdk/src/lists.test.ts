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
    expect(seen.slice(0, 2).map(({ url }) => url)).toEqual([
      '/api/serials?limit=100&count=false&state=available',
      '/api/serials?limit=1000&count=false&state=available&cursor=n',
    ]);
  });

  it('have pages of the size that is asked for, and are counted only for whoever wants to know', async () => {
    const { api, seen } = await serverWith((request, response) =>
      answer(response, 200, {
        rows: [{ id: 's' }],
        next_cursor: request.url?.includes('cursor') ? null : 'n',
        total: 2,
      }),
    );
    const totals: number[] = [];
    const options = { pageSize: 500, onTotal: (total: number) => totals.push(total) };
    for await (const _ of api.paginate.listSerials({}, options));
    for await (const _ of api.paginate.listSerials({ query: { limit: 7 } }));
    expect(totals).toEqual([2]);
    expect(seen.map(({ url }) => url?.split('?')[1])).toEqual([
      'limit=500',
      'limit=500&count=false&cursor=n',
      'limit=7&count=false',
      'limit=7&count=false&cursor=n',
    ]);
  });

  it('end after the rows that are wanted, and ask for no more', async () => {
    const { api, seen } = await serverWith((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const at = Number(query.get('cursor') ?? 0);
      const limit = Number(query.get('limit'));
      const rows = Array.from({ length: limit }, (_, index) => ({ id: String(at + index) }));
      answer(response, 200, { rows, next_cursor: String(at + limit), total: 1e6 });
    });
    const ids: string[] = [];
    for await (const { id } of api.paginate.listSerials({}, { maxItems: 130 })) ids.push(id);
    expect([ids.length, ids.at(-1)]).toEqual([130, '129']);
    expect((await api.paginate.serials.list().autoPagingToArray({ limit: 2 })).map(({ id }) => id)).toEqual(['0', '1']);
    expect(await api.paginate.serials.list({}, { maxItems: 1 }).autoPagingToArray({ limit: 9 })).toHaveLength(1);
    expect(await api.paginate.serials.list().autoPagingToArray({ limit: 0 })).toEqual([]);
    expect(seen.map(({ url }) => /limit=\d+/.exec(url)?.[0])).toEqual(['limit=100', 'limit=30', 'limit=2', 'limit=1']);
  });

  it('give up the page that is on its way when the rows before it are not read to the end', async () => {
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const { api } = await serverWith((request, response) => {
      const at = Number(/cursor=(\d)/.exec(request.url ?? '')?.[1] ?? 0);
      if (at < 2) return answer(response, 200, { rows: [{ id: 'a' }, { id: 'b' }], next_cursor: String(at + 1) });
      request.socket.on('close', () => gone.resolve());
      asked.resolve();
    });
    let read = 0;
    for await (const _ of api.paginate.listSerials()) {
      read += 1;
      if (read < 3) continue;
      await asked.promise;
      break;
    }
    const since = performance.now();
    await gone.promise;
    // the call itself is given up after half a minute
    expect(performance.now() - since).toBeLessThan(20_000);
  });

  it('are read page by page, and go on elsewhere from where a page ended', async () => {
    const { api, seen } = await serverWith((request, response) => {
      const at = Number(/cursor=(\d)/.exec(request.url ?? '')?.[1] ?? 0);
      answer(response, 200, { rows: [{ id: String(at) }], next_cursor: at < 2 ? String(at + 1) : null, total: 3 });
    });
    const first = await api.paginate.listSerials({}, { pageSize: 1 }).page();
    expect([first.rows.map(({ id }) => id), first.next]).toEqual([['0'], { cursor: '1' }]);
    expect(seen).toHaveLength(1);
    const second = await first.nextPage();
    const last = await second?.nextPage();
    expect([second?.rows[0]?.id, last?.rows[0]?.id, last?.next, await last?.nextPage()]).toEqual([
      '1',
      '2',
      undefined,
      undefined,
    ]);
    expect((await api.paginate.listSerials({ query: { ...second?.next } }).page()).rows[0]?.id).toBe('2');
    expect(seen.map(({ url }) => url?.split('?')[1])).toEqual([
      'limit=1&count=false',
      'limit=1&count=false&cursor=1',
      'limit=1&count=false&cursor=2',
      'limit=100&count=false&cursor=2',
    ]);
  });

  it('have a total only where they were counted', async () => {
    const { api } = await serverWith((request, response) => {
      const counted = !request.url?.includes('count=false');
      const rows = [{ id: 'a' }, { id: 'b' }];
      answer(response, 200, { rows, next_cursor: 'n', total: counted ? 1419 : 2, total_exact: counted });
    });
    const totals: number[] = [];
    const onTotal = (total: number) => totals.push(total);
    const uncounted = await api.paginate.serials.list().page();
    expect([uncounted.total, (await uncounted.nextPage())?.total]).toEqual([undefined, undefined]);
    expect((await api.paginate.serials.list({ count: false }, { onTotal }).page()).total).toBeUndefined();
    expect(totals).toEqual([]);
    const counted = await api.paginate.serials.list({ count: true }).page();
    expect([counted.total, (await counted.nextPage())?.total]).toEqual([1419, 1419]);
    expect((await api.paginate.serials.list({}, { onTotal }).page()).total).toBe(1419);
    expect(totals).toEqual([1419]);
  });

  it('have no page after the rows that are wanted', async () => {
    const { api, seen } = await serverWith((request, response) =>
      request.url?.startsWith('/api/serials/redeemed')
        ? answer(response, 200, { rows: [{ id: 'a' }, { id: 'b' }], total: 9, page: 1, page_size: 2 })
        : answer(response, 200, { rows: [{ id: 'a' }], next_cursor: 'n', total: 9 }),
    );
    const totals: number[] = [];
    const onTotal = (total: number) => totals.push(total);
    const byNumber = await api.paginate.listRedeemedSerials({}, { maxItems: 3, onTotal }).page();
    expect([byNumber.rows.length, byNumber.total, byNumber.next, totals]).toEqual([2, 9, { page: 2 }, [9]]);
    expect((await byNumber.nextPage())?.next).toBeUndefined();
    expect((await api.paginate.serials.list({}, { maxItems: 1 }).page()).next).toBeUndefined();
    expect(await api.paginate.serials.list({}, { maxItems: 0 }).page()).toMatchObject({ rows: [], next: undefined });
    expect(seen).toHaveLength(3);
  });

  it('end after those even where a page cannot be made smaller', async () => {
    const { api, seen } = await serverWith((_request, response) =>
      answer(response, 200, { rows: ['a', 'b', 'c'].map((id) => ({ id })), total: 9, page: 1, page_size: 3 }),
    );
    expect(await api.paginate.listRedeemedSerials().autoPagingToArray({ limit: 2 })).toEqual([
      { id: 'a' },
      { id: 'b' },
    ]);
    expect(seen).toHaveLength(1);
  });

  it.each([undefined, {}])('names what is missing for an array, given %j', async (options) => {
    const { api, seen } = await serverWith((_request, response) => answer(response, 200, { rows: [] }));
    const missing = api.paginate.listSerials().autoPagingToArray(options as { limit: number });
    await expect(missing).rejects.toThrow('autoPagingToArray needs a limit: autoPagingToArray({ limit: 1000 }).');
    expect(seen).toEqual([]);
  });

  it.each([-1, 1.5, Number.NaN])('refuse %s rows', async (limit) => {
    const { api, seen } = await serverWith((_request, response) => answer(response, 200, { rows: [] }));
    await expect(api.paginate.listSerials().autoPagingToArray({ limit })).rejects.toThrow('whole number of rows');
    await expect(api.paginate.listSerials({}, { maxItems: limit }).next()).rejects.toThrow('whole number of rows');
    expect(seen).toEqual([]);
  });

  it('load a page while the one before is read, from the second on', async () => {
    const { api, seen } = await serverWith((request, response) => {
      const at = Number(/cursor=(\d)/.exec(request.url ?? '')?.[1] ?? 0);
      answer(response, 200, { rows: [{ id: String(at) }], next_cursor: at < 3 ? String(at + 1) : null, total: 4 });
    });
    const rows = api.paginate.listSerials();
    await rows.next();
    expect(seen).toHaveLength(1);
    await rows.next();
    await expect.poll(() => seen.length).toBe(3);
    await rows.return();
  });

  it('fail where a page fails, after the rows before it', async () => {
    const { api } = await serverWith((request, response) => {
      const at = Number(/cursor=(\d)/.exec(request.url ?? '')?.[1] ?? 0);
      if (at === 2) answer(response, 400, { code: 'invalid_request', message: 'The cursor is not valid.' });
      else answer(response, 200, { rows: [{ id: String(at) }], next_cursor: String(at + 1), total: 4 });
    });
    const ids: string[] = [];
    const reading = (async () => {
      for await (const { id } of api.paginate.listSerials()) ids.push(id);
    })();
    await expect(reading).rejects.toThrow();
    expect(ids).toEqual(['0', '1']);
  });
});
