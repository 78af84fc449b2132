import { ConnectionError, errorOf, TimeoutError, TonerowError } from './errors.ts';
import { delayOf, isTransient, systemTiming, type Timing } from './retry.ts';

export interface ClientOptions {
  /** Such as `https://licenses.example.com`; empty for the page's own origin. */
  baseUrl: string;
  /** A session token, an access token or a plugin key; or what answers it anew for every call. */
  token?: string | (() => string | null | undefined);
  fetch?: typeof fetch;
  /** Tries after the first one. Default 2. */
  retries?: number;
  /** Milliseconds until an answer must begin, for each try. Default 30 s; streams have 10 minutes. */
  timeoutMs?: number;
  userAgent?: string;
  onRequest?: (request: Request, attempt: number) => void;
  onResponse?: (response: Response, ms: number) => void;
  /** For tests. */
  timing?: Timing;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  /** Writes get one of their own; give one to make a repeat of your own safe. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  /** The form of the answer, such as `text/csv`. */
  accept?: string;
}

export interface CallInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, unknown>;
}

const TIMEOUT = 30_000;
export const STREAM_TIMEOUT = 600_000;

/** One call with its tries. Answers only successful responses; everything else is thrown. */
export async function send(
  client: ClientOptions,
  method: string,
  path: string,
  input: CallInput,
  options: CallOptions = {},
): Promise<Response> {
  const timing = client.timing ?? systemTiming;
  const retries = options.retries ?? client.retries ?? 2;
  const body = bodyOf(input.body);
  const headers = headersOf(client, method, body, options, input.headers);
  const url = `${client.baseUrl.replace(/\/+$/, '')}${fill(path, input.path)}${queryOf(input.query)}`;
  // a stream can be read once, so it is sent once
  const repeatable = !(body instanceof ReadableStream);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await once(client, url, { method, headers, body }, options, attempt);
    } catch (error) {
      if (!(error instanceof TonerowError) || !repeatable || attempt >= retries || !isTransient(error)) throw error;
      await timing.sleep(delayOf(attempt, error, timing.random), options.signal);
    }
  }
}

interface Outgoing {
  method: string;
  headers: Headers;
  body: BodyInit | undefined;
}

async function once(
  client: ClientOptions,
  url: string,
  outgoing: Outgoing,
  options: CallOptions,
  attempt: number,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), options.timeoutMs ?? client.timeoutMs ?? TIMEOUT);
  const signal = options.signal ? AbortSignal.any([options.signal, late.signal]) : late.signal;
  const started = Date.now();
  try {
    const init: RequestInit & { duplex?: 'half' } = {
      ...outgoing,
      body: outgoing.body ?? null,
      signal,
      redirect: 'manual',
    };
    if (outgoing.body instanceof ReadableStream) init.duplex = 'half';
    client.onRequest?.(new Request(new URL(url, 'http://localhost'), { method: outgoing.method }), attempt);
    const response = await (client.fetch ?? fetch)(url, init);
    client.onResponse?.(response, Date.now() - started);
    if (response.ok || (response.status >= 300 && response.status < 400) || response.type === 'opaqueredirect') {
      return response;
    }
    throw await errorOf(response);
  } catch (error) {
    if (error instanceof TonerowError) throw error;
    // who gave up themselves gets their own reason back, untouched and never tried again
    if (options.signal?.aborted) throw options.signal.reason;
    if (late.signal.aborted) throw new TimeoutError('The server did not answer in time.', { cause: error });
    throw new ConnectionError(`The server cannot be reached${reasonOf(error)}.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function headersOf(
  client: ClientOptions,
  method: string,
  body: BodyInit | undefined,
  options: CallOptions,
  own: Record<string, unknown> = {},
): Headers {
  const headers = new Headers({ accept: options.accept ?? 'application/json' });
  if (typeof body === 'string') {
    headers.set('content-type', 'application/json');
  }
  if (body instanceof Blob) headers.set('content-type', 'application/octet-stream');
  const token = typeof client.token === 'function' ? client.token() : client.token;
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (client.userAgent) headers.set('user-agent', client.userAgent);
  if (method !== 'GET') headers.set('idempotency-key', options.idempotencyKey ?? newKey());
  for (const [name, value] of Object.entries({ ...own, ...options.headers })) headers.set(name, String(value));
  return headers;
}

function newKey(): string {
  // randomUUID is missing on pages that are not served over https
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bodyOf(body: unknown): BodyInit | undefined {
  if (body === undefined) return undefined;
  if (body instanceof FormData || body instanceof ReadableStream || body instanceof Blob) return body;
  // a file can only travel in a form
  if (body !== null && typeof body === 'object' && Object.values(body).some((value) => value instanceof Blob)) {
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

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause;
  const reason = cause?.code ?? cause?.message;
  return typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
}
