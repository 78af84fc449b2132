import { type Accepted, type Declared, JSON_TYPE, noList, PROBLEM_TYPE, readWhole } from './answers.ts';
import { lists, operations } from './generated/operations.gen.ts';
import type { OperationId, Rows, Whole } from './operations.ts';
import { type Call, type CallInput, type CallOptions, type ClientOptions, STREAM_TIMEOUT, send } from './transport.ts';

type Table = Record<string, (input?: CallInput, given?: CallOptions) => unknown>;

/** Every operation by its name in the contract, in the four forms of a client. */
export function callsOf(options: ClientOptions) {
  const call = (id: OperationId, input: CallInput = {}, given: CallOptions = {}): Promise<Whole<unknown>> =>
    send(options, callOf(id, input), given, async (url, response, onProgress) => ({
      data: await readWhole(url, response, onProgress),
      response,
      requestId: response.headers.get('x-request-id') ?? undefined,
    }));
  const data: Table = {};
  const withResponse: Table = {};
  const stream: Table = {};
  const paginate: Table = {};
  for (const id of Object.keys(operations) as OperationId[]) {
    data[id] = async (input?: CallInput, given?: CallOptions) => (await call(id, input, given)).data;
    withResponse[id] = (input?: CallInput, given?: CallOptions) => call(id, input, given);
    stream[id] = (input: CallInput = {}, given: CallOptions = {}) =>
      send(options, callOf(id, input), { timeoutMs: STREAM_TIMEOUT, ...given }, unread);
    paginate[id] = (input?: CallInput, given: CallOptions = {}) =>
      collectable((limit = Number.POSITIVE_INFINITY) => {
        const maxItems = Math.min(limit, given.maxItems ?? Number.POSITIVE_INFINITY);
        return pages((at) => call(id, at, given), id, input, { ...given, maxItems });
      });
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

/**
 * Follows a list by its cursor in a header, its cursor in the body, or its page number. From the second page on, the next one is on
 * its way while the rows of one are read.
 */
async function* pages(
  load: (input: CallInput) => Promise<Whole<unknown>>,
  id: OperationId,
  input: CallInput = {},
  { pageSize, onTotal, maxItems = Number.POSITIVE_INFINITY }: CallOptions = {},
): AsyncGenerator<unknown, void> {
  let left = countOf('maxItems', maxItems);
  if (left === 0) return;
  const [most, counts] = (lists as Partial<Record<OperationId, readonly [number, boolean]>>)[id] ?? [];
  // no more rows than are left: what is beyond them would be read for nothing
  const sized = (limit: number) => (most === undefined ? {} : { limit: Math.min(pageSize ?? limit, most, left) });
  const plain = counts ? { count: false } : {};
  const own = { ...input.query };
  const further = (place: object) => load({ ...input, query: { ...sized(FURTHER_PAGES), ...plain, ...own, ...place } });
  let page = pageOf(await load({ ...input, query: { ...sized(FIRST_PAGE), ...(onTotal ? {} : plain), ...own } }));
  if (page.total !== undefined) onTotal?.(page.total);
  for (let first = true; ; first = false) {
    const rows = page.rows.slice(0, left);
    left -= rows.length;
    const next = left > 0 ? page.next : undefined;
    const coming = first || !next ? undefined : further(next);
    // it is awaited after these rows, or never
    coming?.catch(() => undefined);
    yield* rows;
    if (!next) return;
    page = pageOf(await (coming ?? further(next)));
  }
}

/** A number of rows. */
function countOf(name: string, value: number): number {
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0)) return value;
  throw new TypeError(`${name} must be a whole number of rows, not ${value}.`);
}

/** An iterator that can also be read into an array. */
function collectable(iterate: (most?: number) => AsyncGenerator<unknown, void>): Rows<unknown> {
  const rows = iterate();
  const autoPagingToArray = async ({ limit }: { limit: number }): Promise<unknown[]> => {
    const all: unknown[] = [];
    for await (const row of iterate(countOf('limit', limit))) all.push(row);
    return all;
  };
  return Object.assign(rows, { autoPagingToArray });
}

interface Shown {
  rows: unknown[];
  /** The query of the page after it. */
  next: { cursor: string } | { page: number } | undefined;
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
