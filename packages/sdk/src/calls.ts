import { type Accepted, type Declared, JSON_TYPE, noList, PROBLEM_TYPE, readWhole } from './answers.ts';
import { lists, operations } from './generated/operations.gen.ts';
import type { ListPage, OperationId, Place, Rows, Whole } from './operations.ts';
import {
  type Call,
  type CallInput,
  type CallOptions,
  type ClientOptions,
  FILE_TIMEOUT,
  isFile,
  STREAM_TIMEOUT,
  send,
} from './transport.ts';

type Table = Record<string, (input?: CallInput, given?: CallOptions) => unknown>;

/** Operations that read a file which the server has: a large one takes minutes, in which nothing comes back. */
const READS_A_FILE: ReadonlySet<OperationId> = new Set(['checkImport']);

const patienceFor = (id: OperationId, { body }: CallInput): CallOptions =>
  READS_A_FILE.has(id) || isFile(body) ? { timeoutMs: FILE_TIMEOUT } : {};

/** Every operation by its name in the contract, in the four forms of a client. */
export function callsOf(options: ClientOptions) {
  const call = <Result>(
    id: OperationId,
    read: (whole: Whole<unknown>) => Result,
    input: CallInput = {},
    given: CallOptions = {},
  ): Promise<Result> =>
    send(options, callOf(id, input), { ...patienceFor(id, input), ...given }, async (url, response, onProgress) =>
      read({
        data: await readWhole(url, response, onProgress),
        response,
        requestId: response.headers.get('x-request-id') ?? undefined,
      }),
    );
  const data: Table = {};
  const withResponse: Table = {};
  const stream: Table = {};
  const paginate: Table = {};
  for (const id of Object.keys(operations) as OperationId[]) {
    data[id] = (input?: CallInput, given?: CallOptions) => call(id, (whole) => whole.data, input, given);
    withResponse[id] = (input?: CallInput, given?: CallOptions) => call(id, (whole) => whole, input, given);
    stream[id] = (input: CallInput = {}, given: CallOptions = {}) =>
      send(options, callOf(id, input), { timeoutMs: STREAM_TIMEOUT, ...given }, unread);
    paginate[id] = (input?: CallInput, given: CallOptions = {}) =>
      listOf(
        pageReader(
          (at, unwanted) => call(id, pageOf, at, { ...given, signal: eitherOf(given.signal, unwanted) }),
          id,
          input,
          given,
        ),
        given,
      );
  }
  return { data, withResponse, stream, paginate };
}

/**
 * Calls any path of the server, for routes without an operation. An operation's path returns what the contract declares,
 * any other returns what `accept` names.
 */
export function rawRequest(
  options: ClientOptions,
  method: string,
  path: string,
  input: Omit<CallInput, 'path'> = {},
  given: CallOptions = {},
): Promise<Response> {
  const expected: Declared | Accepted = declaredAt(method.toUpperCase(), path) ?? { accept: given.accept ?? JSON_TYPE };
  return send(options, { method: method.toUpperCase(), path, input, expected }, given, unread);
}

type Row = readonly [method: string, path: string, answers?: Declared['answers'], refusal?: string];
const rows = operations as Record<OperationId, Row>;

function callOf(id: OperationId, input: CallInput): Call {
  const [method, path] = rows[id];
  return { method, path, template: path, input, expected: declared(rows[id]) };
}

// the table omits the most common response
function declared([, , answers = { 200: [JSON_TYPE] }, refusal = PROBLEM_TYPE]: Row): Declared {
  return { answers, refusal };
}

function declaredAt(method: string, path: string): Declared | undefined {
  const bare = (path.split('?')[0] ?? path).split('/');
  const fits = (template: string) => {
    const parts = template.split('/');
    return parts.length === bare.length && parts.every((part, at) => part.startsWith('{') || part === bare[at]);
  };
  const found = Object.values(rows).find((row) => row[0] === method && fits(row[1]));
  return found && declared(found);
}

async function unread(_url: string, response: Response): Promise<Response> {
  return response;
}

interface Page {
  rows?: unknown[];
  customers?: unknown[];
  next_cursor?: string | null;
  total?: number;
  page?: number;
  page_size?: number;
}

/** Somebody who wants a few rows gets them soon; somebody who wants all gets them in few calls. */
const [FIRST_PAGE, FURTHER_PAGES] = [100, 1000];

/** Reads the first page of a list, or the one at a place; of no more rows than are left, because what is beyond would be read for nothing. */
type PageReader = (left: number, place?: Place, unwanted?: AbortSignal) => Promise<Shown>;

const eitherOf = (one: AbortSignal | undefined, other: AbortSignal | undefined) =>
  one && other ? AbortSignal.any([one, other]) : (one ?? other);

function pageReader(
  load: (input: CallInput, unwanted?: AbortSignal) => Promise<Shown>,
  id: OperationId,
  input: CallInput = {},
  { pageSize, onTotal }: CallOptions = {},
): PageReader {
  const [most, counts] = (lists as Partial<Record<OperationId, readonly [number, boolean]>>)[id] ?? [];
  return async (left, place, unwanted) => {
    const limit = pageSize ?? (place ? FURTHER_PAGES : FIRST_PAGE);
    const sized = most === undefined ? {} : { limit: Math.min(limit, most, left) };
    const plain = counts && (place || !onTotal) ? { count: false } : {};
    const query: Record<string, unknown> = { ...sized, ...plain, ...input.query, ...place };
    const page = await load({ ...input, query }, unwanted);
    // a list that was not to be counted has the length of the page for a total
    const total = String(query.count) === 'false' ? undefined : page.total;
    if (!place && total !== undefined) onTotal?.(total);
    return { rows: page.rows.slice(0, left), next: page.next, total };
  };
}

/**
 * Follows a list by its cursor in a header, its cursor in the body, or its page number. From the second page on, the next one is on
 * its way while the rows of one are read; it is given up when they are not read to the end.
 */
async function* rowsOf(read: PageReader, most: number): AsyncGenerator<unknown, void> {
  let left = most;
  if (left === 0) return;
  const unwanted = new AbortController();
  try {
    let page = await read(left);
    for (let first = true; ; first = false) {
      left -= page.rows.length;
      const next = left > 0 ? page.next : undefined;
      const coming = first || !next ? undefined : read(left, next, unwanted.signal);
      // it is awaited after these rows, or never
      coming?.catch(() => undefined);
      yield* page.rows;
      if (!next) return;
      page = await (coming ?? read(left, next));
    }
  } finally {
    unwanted.abort();
  }
}

/** One page with the way to those after it. */
async function pageAt(read: PageReader, left: number, place?: Place): Promise<ListPage<unknown>> {
  if (left === 0) return { rows: [], total: undefined, next: undefined, nextPage: async () => undefined };
  const { rows, total, next: further } = await read(left, place);
  const rest = left - rows.length;
  const next = rest > 0 ? further : undefined;
  return { rows, total, next, nextPage: async () => next && pageAt(read, rest, next) };
}

/** A number of rows. */
function countOf(name: string, value: number): number {
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0)) return value;
  throw new TypeError(`${name} must be a whole number of rows, not ${value}.`);
}

/** A list in its forms: row by row, in an array, and page by page. */
function listOf(read: PageReader, { maxItems = Number.POSITIVE_INFINITY }: CallOptions): Rows<unknown> {
  const most = () => countOf('maxItems', maxItems);
  const iterate = async function* (limit = Number.POSITIVE_INFINITY) {
    yield* rowsOf(read, Math.min(limit, most()));
  };
  const autoPagingToArray = async (options?: { limit: number }): Promise<unknown[]> => {
    // the types ask for it, and JavaScript has none
    const limit = options?.limit;
    if (limit === undefined)
      throw new TypeError('autoPagingToArray needs a limit: autoPagingToArray({ limit: 1000 }).');
    const all: unknown[] = [];
    for await (const row of iterate(countOf('limit', limit))) all.push(row);
    return all;
  };
  return Object.assign(iterate(), { autoPagingToArray, page: async () => pageAt(read, most()) });
}

interface Shown {
  rows: unknown[];
  next: Place | undefined;
  total: number | undefined;
}

function pageOf({ data, response }: Whole<unknown>): Shown {
  if (Array.isArray(data)) {
    const cursor = response.headers.get('x-next-cursor');
    const total = response.headers.get('x-total-count');
    return { rows: data, next: cursor ? { cursor } : undefined, total: total === null ? undefined : Number(total) };
  }
  const page = data as Page | null;
  const rows = page?.rows ?? page?.customers;
  if (!page || !rows) throw noList(response);
  // a list with both ends where its cursors end
  const byNumber =
    page.next_cursor === undefined &&
    page.page !== undefined &&
    page.page * (page.page_size ?? rows.length) < (page.total ?? 0) &&
    rows.length > 0;
  const numbered = byNumber ? { page: (page.page as number) + 1 } : undefined;
  return { rows, next: page.next_cursor ? { cursor: page.next_cursor } : numbered, total: page.total };
}
