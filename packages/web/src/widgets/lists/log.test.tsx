import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { oneOf, searched } from '#lib/navigation/search-params.ts';
import { Filters } from '#ui/lists/filters.tsx';
import { ExportLog } from './export-log.tsx';
import { defineLog, Log, useLog } from './log.tsx';

const requests = defineLog({
  title: 'Requests',
  one: 'request',
  operation: 'listApiRequests',
  pageSize: 2,
  filters: { path: searched, status: oneOf(['4xx', '5xx']), credential: oneOf(['key-1']) },
  as: { path: 'route', credential: 'credential_id' },
  search: { by: 'path', placeholder: 'Part of the path...', label: 'Path' },
  choices: [
    { by: 'status', label: 'Status', all: 'All statuses', words: { '4xx': 'Refused' }, className: '' },
    { by: 'credential', label: 'Credential', all: 'All keys', className: '' },
  ],
  columns: [{ key: 'what', header: 'Request', cell: (row) => row.route }],
  Card: ({ row }) => row.route,
  csv: 'requests.csv',
  empty: {
    title: 'No requests yet',
    none: 'They appear here.',
    filteredTitle: 'Nothing matches',
    filtered: ({ path }) => `None has ${path}.`,
    clear: 'Clear the filters',
  },
});
/** Without columns and filters, and with a total. */
const months = defineLog({
  title: 'The history',
  caption: 'Commission',
  one: 'row',
  operation: 'listCommissionHistory',
  pageSize: 2,
  filters: {},
  Card: ({ row }) => row.product,
  empty: { title: 'No commission yet', none: '' },
});

interface RequestFilter {
  path: string;
  status: '4xx' | '5xx' | undefined;
  credential: 'key-1' | undefined;
}
const usual: RequestFilter = { path: '', status: undefined, credential: undefined };

let queryClient: QueryClient;
beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => 'token' });
  // an error is shown as it is, and not tried again
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

function Requests({ filter }: { filter: Partial<RequestFilter> }) {
  const log = useLog(requests, [{ ...usual, ...filter }, () => undefined]);
  return (
    <>
      <ExportLog log={log} />
      <Filters at={log} words={{ credential: { 'key-1': 'Key Nightly' } }} actions="beside the filters" />
      <Log log={log} />
    </>
  );
}
const Months = () => <Log log={useLog(months)} />;
/** Its screen has figures, and counts in a line of its own. */
function Counted() {
  const log = useLog(months);
  return <Log log={log} head={<p>Figures</p>} foot={<p>{log.first?.total} in all</p>} />;
}

const draw = (screen: ReactNode) =>
  renderToStaticMarkup(<QueryClientProvider client={queryClient}>{screen}</QueryClientProvider>);
const wordsOf = (screen: ReactNode) =>
  draw(screen)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** What a log asks for under a filter. */
function askedFor(filter: Partial<RequestFilter>) {
  draw(<Requests filter={filter} />);
  return queryClient.getQueryCache().getAll().at(-1)?.queryKey;
}
/** The answer of the server to what is asked for. */
const answered = (key: readonly unknown[] | undefined, pages: object[]) =>
  queryClient.setQueryData(key ?? [], { pages, pageParams: [] });

const rows = [
  { id: '1', route: '/api/serials' },
  { id: '2', route: '/api/customers' },
];

it('asks for what narrows it, by the names of the server', () => {
  expect(askedFor({})).toEqual(['listApiRequests', { query: { limit: 2 } }, 'pages', '']);
  expect(askedFor({ path: 'all', status: '4xx', credential: 'key-1' })).toEqual([
    'listApiRequests',
    { query: { route: 'all', status: '4xx', credential_id: 'key-1', limit: 2 } },
    'pages',
    '',
  ]);
});

it('counts its filters without the search, and offers the choices that only the screen knows', () => {
  const filter = { path: 'x', status: '4xx' as const };
  expect(wordsOf(<Requests filter={filter} />)).toMatch(/Filters 1 .*beside the filters/);
  expect(wordsOf(<Requests filter={{ path: 'x' }} />)).not.toMatch(/Filters 1/);
  expect(draw(<Requests filter={{ credential: 'key-1' }} />)).toContain(
    '<option value="key-1" selected="">Key Nightly</option>',
  );
});

it('shows rows as a table and as cards, and leads to further ones', () => {
  answered(askedFor({}), [{ rows, next_cursor: 'more', credentials: [] }]);
  const html = draw(<Requests filter={{}} />);
  expect(html.split('/api/customers')).toHaveLength(3);
  expect(wordsOf(<Requests filter={{}} />)).toMatch(/The first 2 requests.*Show more/);
  expect(html).not.toContain('disabled=""');
});

it('shows the total where the server counts, and cards alone without columns', () => {
  draw(<Months />);
  const key = queryClient.getQueryCache().getAll()[0]?.queryKey;
  expect(wordsOf(<Months />)).toContain('Loading commission');
  answered(key, [{ rows: [{ product: 'Prism' }, { product: 'Needle' }], total: 31, next_cursor: 'more' }]);
  expect(wordsOf(<Months />)).toMatch(/Prism Needle 2 of 31 rows.*Show more/);
  expect(draw(<Months />)).not.toContain('<table');
});

it('has the figures of its screen above its rows, and ends in the line of its screen once there are some', () => {
  expect(wordsOf(<Counted />)).toMatch(/^ Figures (?!.*in all)/);
  const key = queryClient.getQueryCache().getAll()[0]?.queryKey;
  answered(key, [{ rows: [{ product: 'Prism' }], total: 31, next_cursor: 'more' }]);
  expect(wordsOf(<Counted />)).toMatch(/^ Figures Prism 31 in all $/);
  answered(key, [{ rows: [], total: 0, next_cursor: null }]);
  expect(wordsOf(<Counted />)).not.toMatch(/Figures|in all/);
});

it('is empty for a reason, and has no file then', () => {
  answered(askedFor({}), [{ rows: [], next_cursor: null, credentials: [] }]);
  expect(wordsOf(<Requests filter={{}} />)).toContain('No requests yet They appear here.');
  expect(draw(<Requests filter={{}} />)).toMatch(/<button[^>]* disabled=""[^>]*>.*Export CSV/);
  answered(askedFor({ path: 'zzz' }), [{ rows: [], next_cursor: null, credentials: [] }]);
  expect(wordsOf(<Requests filter={{ path: 'zzz' }} />)).toContain('Nothing matches None has zzz. Clear the filters');
});

it('shows what went wrong, and offers to try again', async () => {
  askedFor({});
  vi.stubGlobal('fetch', async () => Response.json({ message: 'Not for you.' }, { status: 403 }));
  await expect(queryClient.getQueryCache().getAll()[0]?.fetch()).rejects.toThrow();
  expect(wordsOf(<Requests filter={{}} />)).toMatch(/Requests couldn.*t be loaded.*Retry/);
});
