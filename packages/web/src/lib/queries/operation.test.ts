import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refreshAfter } from './freshness/refresh.ts';
import { every, page, pages, q } from './operation.ts';

let queryClient: QueryClient;
let asked: string[];
let answer: (path: string) => Response;

beforeEach(() => {
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 15_000 } } });
  asked = [];
  vi.stubGlobal('localStorage', { getItem: () => 'token' });
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input, 'http://here');
    asked.push(pathname + search);
    return answer(pathname + search);
  });
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

const json = (body: unknown, headers = {}) => Response.json(body, { headers });
const id = '00000000-0000-4000-8000-000000000000';

it('asks the operation, and takes the answer to the same input from the cache', async () => {
  answer = (path) => json({ path });
  await queryClient.fetchQuery(q('getSerial', { path: { id } }));
  await queryClient.fetchQuery(q('getSerial', { path: { id } }));
  expect(asked).toEqual([`/api/serials/${id}`]);
  await queryClient.fetchQuery(q('getSerial', { path: { id: 'another' } }));
  expect(asked).toHaveLength(2);
});

it('leads from page to page by the cursor, and begins where it is told to', async () => {
  answer = (path) => json({ rows: [path], next_cursor: path.includes('cursor=two') ? null : 'two' });
  const list = pages('listBatches', { query: { limit: 2 } });
  const { pages: read } = await queryClient.fetchInfiniteQuery({ ...list, pages: 3 });
  expect(read).toHaveLength(2);
  expect(asked).toEqual(['/api/batches?limit=2', '/api/batches?limit=2&cursor=two']);
  await queryClient.fetchInfiniteQuery(pages('listSerialHistory', { path: { id } }, 'later'));
  expect(asked.at(-1)).toContain('cursor=later');
});

it('keeps one page, page by page and all rows of the same list apart', async () => {
  answer = () => json([{ id: 'a' }], { 'x-total-count': '7', 'x-next-cursor': '' });
  const input = { query: { limit: 1 } };
  expect(await queryClient.fetchQuery(page('listResellers', input))).toMatchObject({ rows: [{ id: 'a' }], total: 7 });
  expect((await queryClient.fetchInfiniteQuery(pages('listResellers', input))).pages).toHaveLength(1);
  expect(await queryClient.fetchQuery(every('listResellers', input))).toEqual([{ id: 'a' }]);
  expect(await queryClient.fetchQuery(q('listResellers', input))).toEqual([{ id: 'a' }]);
  expect(asked).toHaveLength(4);
});

it('makes every form and input of an operation stale with it, and nothing else', async () => {
  answer = () => json({ rows: [], next_cursor: null });
  const stale = [q('listBatches'), q('listBatches', { query: { limit: 2 } }), q('getBatch', { path: { id } })];
  for (const each of stale) await queryClient.fetchQuery<unknown, Error, unknown, readonly unknown[]>(each as never);
  const list = pages('listBatches');
  await queryClient.fetchInfiniteQuery(list);
  const other = q('listWebhooks');
  await queryClient.fetchQuery(other);
  await refreshAfter(queryClient, 'batchChanged');
  for (const { queryKey } of [...stale, list]) expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
  expect(queryClient.getQueryState(other.queryKey)?.isInvalidated).toBe(false);
});
