import { type Accepted, type Declared, mustBeExpected, place } from './answers.ts';
import { ConnectionError, TimeoutError, TonerowError } from './errors.ts';
import { API_VERSION } from './generated/version.gen.ts';
import { delayOf, isTransient, systemTiming, type Timing } from './retry.ts';
import { serverOf, type Token, tokenOf, userAgentOf } from './surroundings.ts';
import { type Tracer, type TryTrace, traceOf } from './tracing.ts';

export interface ClientOptions {
  /** Such as `https://licenses.example.com`; empty for the page's own origin. Default: the environment's `TONEROW_URL`, or the page's origin. */
  baseUrl?: string;
  /**
   * A session token, an access token or a plugin key; or a function that returns it for each call, or a promise of it. Null: none.
   * Default: the environment's `TONEROW_TOKEN`.
   */
  token?: Token;
  fetch?: typeof fetch;
  /** Tries after the first one. Default 2. */
  retries?: number;
  /** Milliseconds after the beginning of a call in which further tries may begin. Default 2 minutes. */
  retryBudgetMs?: number;
  /** Milliseconds without data before a try fails. Default 30 s; streams have 10 minutes to begin. */
  timeoutMs?: number;
  /** The calling program, such as `my-shop/2.1`: it comes before this package's name in the header `User-Agent`. */
  userAgent?: string;
  /** Chooses the idempotency key of a write, to repeat one whose response was lost; undefined: a new key. */
  idempotencyKey?: (write: Write) => string | undefined | Promise<string | undefined>;
  /**
   * Called when a write has to wait for an earlier request with its key, with the seconds after which that one has ended or died. With
   * this, a call waits as long as that takes; without it, it fails after its retries.
   */
  onHeld?: (seconds: number) => void;
  /** Called before each try, the first of which is 1, with its headers. Credentials in them are `***`, so that they can be logged. */
  onRequest?: (request: Request, attempt: number) => void;
  /** Called with each response, unread, and the milliseconds until it came. */
  onResponse?: (response: Response, ms: number) => void;
  /** Called after each try that failed: without a response, with a refusal, or with a response that broke off. */
  onError?: (failed: FailedTry) => void;
  /** OpenTelemetry's: each try becomes a span, which the server's own trace continues. */
  tracer?: Tracer;
  /** Used by tests. */
  timing?: Timing;
}

/** A try of a call that failed. */
export interface FailedTry {
  method: string;
  url: string;
  /** The first try is 1, as in `attempts` of the error. */
  attempt: number;
  /** Milliseconds from its beginning. */
  ms: number;
  /** A `TonerowError`, or what else ended the call, such as the reason of its `signal`. */
  error: unknown;
  /** Whether another try follows, after a pause. */
  willRetry: boolean;
}

/** A request that changes something, as it is sent. */
export interface Write {
  method: string;
  url: string;
  body: RequestInit['body'] | undefined;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  retryBudgetMs?: number;
  /** Generated for writes; pass one to make your own retries safe. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  /** The media type of the response, such as `text/csv`. */
  accept?: string;
  /** Rows on a page of an iterator, at most 1,000. Default: 100 on the first page, 1,000 on those after it. */
  pageSize?: number;
  /** An iterator ends after so many rows, and asks for no more than those. */
  maxItems?: number;
  /** An iterator calls it with how many rows the list has, or at least has. Without it, they are counted only for `count: true` in the query. */
  onTotal?: (total: number) => void;
}

export interface CallInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, unknown>;
}

/** Seconds. */
const HELD_ASKED_EVERY = 2;
const TIMEOUT = 30_000;
const RETRY_BUDGET = 120_000;
export const STREAM_TIMEOUT = 600_000;
/** While a file is sent nothing comes back, and a large one is then read as a whole. */
export const FILE_TIMEOUT = 3_600_000;

/** One operation of the contract, or one path outside it. */
export interface Call {
  method: string;
  path: string;
  /** The operation's path as the contract has it. */
  template?: string;
  input: CallInput;
  expected: Declared | Accepted;
}

/** Reads an accepted response. Reports each chunk, so that only silence counts toward the timeout. */
type Reader<Result> = (url: string, response: Response, onProgress: () => void) => Promise<Result>;

/**
 * One call with its retries. Only responses that the contract declares are read; everything else throws.
 * @throws {TonerowError} with the idempotency key, when the call was a write.
 */
export async function send<Result>(
  client: ClientOptions,
  { method, path, template, input, expected }: Call,
  options: CallOptions,
  read: Reader<Result>,
): Promise<Result> {
  const timing = client.timing ?? systemTiming;
  const retries = options.retries ?? client.retries ?? 2;
  const body = bodyOf(input.body);
  const url = `${serverOf(client)}${fill(path, input.path)}${queryOf(input.query)}`;
  const headers = await headersOf(client, body, options, input.headers);
  if (!isRedirect(expected)) headers.set('tonerow-api-version', API_VERSION);
  const key = await keyOf(client, { method, url, body }, options);
  if (key !== undefined && !headers.has('idempotency-key')) headers.set('idempotency-key', key);
  // a stream can be read once, so it is sent once
  const repeatable = !(body instanceof ReadableStream);
  const latest = Date.now() + (options.retryBudgetMs ?? client.retryBudgetMs ?? RETRY_BUDGET);
  /** Milliseconds until the next try; undefined where none follows. */
  const pauseAfter = (error: unknown, attempt: number): number | undefined => {
    if (!(error instanceof TonerowError) || !repeatable || attempt >= retries || !isTransient(error)) return undefined;
    const pause = delayOf(attempt, error, timing.random);
    return Date.now() + pause > latest ? undefined : pause;
  };
  let held = false;
  let tries = 0;
  for (let attempt = 0; ; attempt += 1) {
    const trace = client.tracer && traceOf(client.tracer, { method, template, url, attempt });
    if (trace && !isRedirect(expected)) headers.set('traceparent', trace.traceparent);
    tries += 1;
    const started = Date.now();
    try {
      const outgoing = { url, init: { method, headers, body: body ?? null }, expected, trace };
      const result = await once(client, outgoing, options, tries, read);
      trace?.end();
      return result;
    } catch (error) {
      trace?.end({ error });
      if (error instanceof TonerowError) {
        error.idempotencyKey = headers.get('idempotency-key') ?? undefined;
        error.attempts = tries;
      }
      const seconds = client.onHeld && repeatable ? heldFor(error) : undefined;
      const pause = seconds === undefined ? pauseAfter(error, attempt) : Math.min(seconds, HELD_ASKED_EVERY) * 1000;
      const willRetry = pause !== undefined;
      client.onError?.({ method, url, attempt: tries, ms: Date.now() - started, error, willRetry });
      if (!willRetry) throw error;
      if (seconds !== undefined) {
        if (!held) client.onHeld?.(seconds);
        held = true;
        attempt -= 1;
      }
      await timing.sleep(pause, options.signal);
    }
  }
}

/** How long an earlier request with the same key may still take. */
function heldFor(error: unknown): number | undefined {
  const isHeld = error instanceof TonerowError && error.code === 'idempotency_in_progress';
  return isHeld ? error.problem?.held_for : undefined;
}

interface Outgoing {
  url: string;
  init: { method: string; headers: Headers; body: BodyInit | null };
  expected: Declared | Accepted;
  trace: TryTrace | undefined;
}

async function once<Result>(
  client: ClientOptions,
  { url, init, expected, trace }: Outgoing,
  options: CallOptions,
  attempt: number,
  read: Reader<Result>,
): Promise<Result> {
  client.onRequest?.(shownOf(url, init), attempt);
  const patience = startPatience(options.timeoutMs ?? client.timeoutMs ?? TIMEOUT);
  const signal = options.signal ? AbortSignal.any([options.signal, patience.signal]) : patience.signal;
  const started = Date.now();
  let answer: Response | undefined;
  try {
    const whole: RequestInit & { duplex?: 'half' } = { ...init, signal, redirect: 'manual' };
    if (init.body instanceof ReadableStream) whole.duplex = 'half';
    const response = await (client.fetch ?? fetch)(url, whole);
    answer = response;
    trace?.answered(response);
    patience.renew();
    client.onResponse?.(response, Date.now() - started);
    await mustBeExpected(url, response, expected);
    return await read(url, response, patience.renew);
  } catch (error) {
    if (error instanceof TonerowError) throw error;
    // a caller's own abort rethrows its reason unchanged and is never retried
    if (options.signal?.aborted) throw options.signal.reason;
    const details = { cause: error, headers: answer?.headers };
    if (patience.signal.aborted)
      throw new TimeoutError(`The server at ${originOf(url)} did not respond in time.`, details);
    const what = answer
      ? `The response from ${place(url)} was cut off`
      : isBroken(error)
        ? `The connection to ${originOf(url)} broke before its response arrived`
        : `The server at ${originOf(url)} cannot be reached`;
    throw new ConnectionError(`${what}${reasonOf(error)}.`, details);
  } finally {
    patience.stop();
  }
}

/** A request for logs, without its credentials. */
function shownOf(url: string, { method, headers }: Outgoing['init']): Request {
  const shown = new Headers(headers);
  for (const name of ['authorization', 'proxy-authorization', 'cookie']) {
    const value = headers.get(name);
    // a scheme, such as Bearer, is no secret
    if (value !== null) shown.set(name, `${/^[\w-]+ /.exec(value)?.[0] ?? ''}***`);
  }
  return new Request(new URL(url, 'http://localhost'), { method, headers: shown });
}

/** Whether it leads to a file elsewhere, such as in a bucket: a browser that follows would have to ask there whether it may send a header. */
function isRedirect(expected: Declared | Accepted): boolean {
  return 'answers' in expected && Object.keys(expected.answers).some((status) => status.startsWith('3'));
}

/** Aborts a call after this long without data. */
function startPatience(milliseconds: number) {
  const late = new AbortController();
  const start = () => setTimeout(() => late.abort(), milliseconds);
  let timer = start();
  return {
    signal: late.signal,
    renew: () => {
      clearTimeout(timer);
      timer = start();
    },
    stop: () => clearTimeout(timer),
  };
}

async function headersOf(
  client: ClientOptions,
  body: BodyInit | undefined,
  options: CallOptions,
  own: Record<string, unknown> = {},
): Promise<Headers> {
  const headers = new Headers({ accept: options.accept ?? 'application/json' });
  if (typeof body === 'string') {
    headers.set('content-type', 'application/json');
  }
  if (body instanceof Blob) headers.set('content-type', 'application/octet-stream');
  const token = await tokenOf(client);
  if (token) headers.set('authorization', `Bearer ${token}`);
  const userAgent = userAgentOf(client.userAgent);
  if (userAgent) headers.set('user-agent', userAgent);
  for (const [name, value] of Object.entries({ ...own, ...options.headers })) headers.set(name, String(value));
  return headers;
}

/** The key of a write: the one passed, the one that the client chooses, or a new one. */
async function keyOf(client: ClientOptions, write: Write, options: CallOptions): Promise<string | undefined> {
  if (write.method === 'GET') return undefined;
  return options.idempotencyKey ?? (await client.idempotencyKey?.(write)) ?? newKey();
}

function newKey(): string {
  // randomUUID is missing on pages that are not served over https
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function hasFile(body: unknown): body is object {
  return body !== null && typeof body === 'object' && Object.values(body).some((value) => value instanceof Blob);
}

/** Whether a body is a file, or has one. */
export const isFile = (body: unknown): boolean =>
  body instanceof FormData || body instanceof ReadableStream || body instanceof Blob || hasFile(body);

function bodyOf(body: unknown): BodyInit | undefined {
  if (body === undefined) return undefined;
  if (body instanceof FormData || body instanceof ReadableStream || body instanceof Blob) return body;
  // a file can only be sent in a form
  if (hasFile(body)) {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) {
      if (value instanceof Blob) form.set(name, value, 'name' in value ? String(value.name) : name);
      else if (value !== undefined && value !== null) form.set(name, String(value));
    }
    return form;
  }
  return JSON.stringify(body);
}

function fill(path: string, values: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') throw new TypeError(`The path ${path} needs "${name}".`);
    return encodeURIComponent(String(value));
  });
}

function queryOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'this address';
}

function reasonOf(error: unknown): string {
  const { code, message } = causeOf(error);
  // the code of Node's fetch for an end of the connection adds nothing
  const reason = code === ENDED ? '' : (code ?? message);
  return typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
}

const ENDED = 'UND_ERR_SOCKET';

/** There was a connection, so the address is right. Browsers do not distinguish. */
function isBroken(error: unknown): boolean {
  return [ENDED, 'ECONNRESET', 'EPIPE'].includes(String(causeOf(error).code));
}

function causeOf(error: unknown): { code?: unknown; message?: unknown } {
  return (error as { cause?: { code?: unknown; message?: unknown } }).cause ?? {};
}
