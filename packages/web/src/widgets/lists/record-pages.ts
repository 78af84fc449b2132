import { api } from '#lib/api.ts';
import { cursorPage, numberedPage, type Trail, type TrailList, type TrailPage } from '#lib/lists/trail.ts';

const STEP = 20;

type Query<T extends (...args: never[]) => unknown> = NonNullable<
  NonNullable<Parameters<T>[0]>['query' & keyof NonNullable<Parameters<T>[0]>]
>;

interface Reader {
  read: (query: object, at: string, first: number, signal: AbortSignal) => Promise<TrailPage>;
  /** What a page is called in the address of its list. */
  address: (page: TrailPage) => object;
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
const numbered = ({ at }: TrailPage) => ({ page: at === '1' ? undefined : Number(at) });
const byCursor = ({ at, first }: TrailPage) => ({
  page: at ? Math.floor(first / STEP) + 1 : undefined,
  cursor: at || undefined,
});

async function readProducts(query: object, cursor: string, first: number, signal: AbortSignal): Promise<TrailPage> {
  const known = query as Query<typeof api.listProducts>;
  const { data, response } = await api.withResponse.listProducts(
    { query: { ...known, limit: STEP, cursor } },
    { signal },
  );
  return { ...cursorPage(cursor, first, response.headers.get('X-Next-Cursor')), ids: idsOf(data) };
}

/** How each list is read on from the page of a record. */
const readers: Record<TrailList, Reader> = {
  customers: {
    address: numbered,
    async read(query, at, _, signal) {
      const page = Number(at);
      const data = await api.listCustomers(
        { query: { ...(query as Query<typeof api.listCustomers>), page } },
        { signal },
      );
      return { ...numberedPage(page, data.customers.length, data), ids: idsOf(data.customers) };
    },
  },
  redeemed: {
    address: numbered,
    async read(query, at, _, signal) {
      const page = Number(at);
      const data = await api.listRedeemedSerials(
        { query: { ...(query as Query<typeof api.listRedeemedSerials>), page } },
        { signal },
      );
      return { ...numberedPage(page, data.rows.length, data), ids: idsOf(data.rows) };
    },
  },
  available: {
    address: byCursor,
    async read(query, cursor, first, signal) {
      const known = query as Query<typeof api.listSerials>;
      const data = await api.listSerials({ query: { ...known, limit: STEP, cursor } }, { signal });
      return { ...cursorPage(cursor, first, data.next_cursor), ids: idsOf(data.rows) };
    },
  },
  products: { address: byCursor, read: readProducts },
  // the cards have no pages of their own
  cards: { address: () => ({}), read: readProducts },
  batches: {
    address: byCursor,
    async read(query, cursor, first, signal) {
      const known = query as Query<typeof api.listBatches>;
      const data = await api.listBatches({ query: { ...known, limit: STEP, cursor } }, { signal });
      return { ...cursorPage(cursor, first, data.next_cursor), ids: idsOf(data.rows) };
    },
  },
};

/** The page before the first or after the last that is known. */
export function readPage({ list, query, pages }: Trail, at: string, signal: AbortSignal): Promise<TrailPage> {
  const last = pages.at(-1);
  return readers[list].read(query, at, (last?.first ?? 0) + (last?.ids.length ?? 0), signal);
}

/** The list's address, on the page that has the record; a list on another record's page has one address. */
export const searchOf = (trail: Trail, page: TrailPage) =>
  trail.back ? trail.search : { ...trail.search, ...readers[trail.list].address(page) };
