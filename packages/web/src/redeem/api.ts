import type { Branding, MyProducts, OpenedProducts, Problem, RedemptionResult } from '@tonerow/sdk';

export type RedeemFailure = Problem['code'] | 'network' | 'unexpected';

/**
 * A call that went wrong. `code` is what the page translates; the message is the server's own and may be empty.
 * The redemption page has no room for the whole SDK.
 */
export class RedeemError extends Error {
  override name = 'RedeemError';
  readonly code: RedeemFailure;
  /** Without one the server never answered, and the same request may be sent again. */
  readonly status: number | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** The first field that was refused. */
  readonly field: string | undefined;

  constructor(code: RedeemFailure, message = '', about: { status?: number; retryAfter?: number; field?: string } = {}) {
    super(message);
    this.code = code;
    this.status = about.status;
    this.retryAfter = about.retryAfter;
    this.field = about.field;
  }
}

const PATIENCE = 30_000;

interface Initiation {
  serial: string;
  email: string;
  dev?: string | undefined;
  download_token?: string | undefined;
}

export function initiate(body: Initiation, key: string): Promise<RedemptionResult> {
  return post('/api/redeem/initiate', body, key);
}

export function complete(
  body: { temp_token: string; first_name: string; last_name: string },
  key: string,
): Promise<RedemptionResult> {
  return post('/api/redeem/complete', body, key);
}

export function openProducts(token: string): Promise<OpenedProducts> {
  return post('/api/redeem/products', { download_token: token });
}

export async function requestMyProducts(body: { email: string; dev?: string | undefined }): Promise<void> {
  await post('/api/redeem/my-products', body);
}

export function openMyProducts(token: string): Promise<MyProducts> {
  return post('/api/redeem/my-products/open', { token });
}

export async function releaseMachine(token: string, machine: string): Promise<void> {
  await post('/api/redeem/my-products/release', { token, machine_id: machine });
}

/** The licence file for the machine file of a computer without internet. */
export async function createOfflineLicense(body: {
  token: string;
  serial: string;
  machine_file: string;
}): Promise<string> {
  const response = await request('/api/redeem/my-products/offline', asJson(body), 'text/plain');
  return response.text();
}

/** By the developer's id, or by the domain the page is on. */
export function readBranding(of: { dev: string } | { host: string }): Promise<Branding> {
  const path = 'dev' in of ? '/api/developer/branding' : '/api/branding/domain';
  return send(`${path}?${new URLSearchParams({ ...of })}`, {});
}

/** One key for one press of a button, kept over its repeats. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function asJson(body: unknown, key?: string): RequestInit {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (key) headers['idempotency-key'] = key;
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

function post<Answer>(path: string, body: unknown, key?: string): Promise<Answer> {
  return send(path, asJson(body, key));
}

async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await request(path, init);
  const answer: unknown = await response.json().catch(() => null);
  if (answer === null || typeof answer !== 'object')
    throw new RedeemError('unexpected', '', { status: response.status });
  return answer as Answer;
}

async function request(path: string, init: RequestInit, type = 'application/json'): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    throw new RedeemError('network');
  }
  if (!response.ok) {
    const answer = (await response.json().catch(() => null)) as Partial<Problem> | null;
    const { code = response.status >= 502 ? 'unavailable' : 'unexpected', message = '', errors } = answer ?? {};
    const wait = Number(response.headers.get('retry-after'));
    throw new RedeemError(code, message, {
      status: response.status,
      ...(wait > 0 ? { retryAfter: wait } : {}),
      ...(errors?.[0] ? { field: errors[0].path } : {}),
    });
  }
  // a network's sign-in page also answers 200
  if (!response.headers.get('content-type')?.startsWith(type)) throw new RedeemError('unexpected');
  return response;
}
