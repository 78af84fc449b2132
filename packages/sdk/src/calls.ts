import { type Accepted, type Declared, JSON_TYPE, noList, PROBLEM_TYPE, readWhole } from './answers.ts';
import { operations } from './generated/operations.gen.ts';
import type { OperationId, Whole } from './operations.ts';
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
    paginate[id] = (input?: CallInput, given?: CallOptions) => pages((at) => call(id, at, given), input);
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
  return { method, path, input, expected: declared(rows[id]) };
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

/** Follows a list by its cursor in a header, its cursor in the body, or its page number. */
async function* pages(
  load: (input: CallInput) => Promise<Whole<unknown>>,
  input: CallInput = {},
): AsyncGenerator<unknown, void> {
  let query = { ...input.query };
  for (;;) {
    const { data, response } = await load({ ...input, query });
    if (Array.isArray(data)) {
      yield* data;
      const cursor = response.headers.get('x-next-cursor');
      if (!cursor) return;
      query = { ...query, cursor };
      continue;
    }
    const page = data as Page | null;
    const rows = page?.rows ?? page?.customers;
    if (!page || !rows) throw noList(response);
    yield* rows;
    if (page.next_cursor) query = { ...query, cursor: page.next_cursor };
    else if (
      // a list with both ends where its cursors end
      page.next_cursor === undefined &&
      page.page !== undefined &&
      page.page * (page.page_size ?? rows.length) < (page.total ?? 0) &&
      rows.length > 0
    ) {
      query = { ...query, page: page.page + 1 };
    } else return;
  }
}
