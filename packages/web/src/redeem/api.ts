import type { AnswerOf, Branding, OperationId, Problem } from '@tonerow/sdk';
import * as routes from '@tonerow/sdk/routes';
import { addressOf, type BodyOf, type Route } from '#lib/route.ts';

export type RedeemFailure = Problem['code'] | 'network' | 'unexpected';

/**
 * A failed call. The page translates by `code`; the message is the server's own and may be empty.
 * The whole SDK would be too large for the redemption page.
 */
export class RedeemError extends Error {
  override name = 'RedeemError';
  readonly code: RedeemFailure;
  /** Undefined when the server never responded; the same request may be sent again. */
  readonly status: number | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** The first invalid field. */
  readonly field: string | undefined;
  /** The time at which the same request will be accepted. */
  readonly opensAt: string | undefined;

  constructor(code: RedeemFailure, message = '', about: About = {}) {
    super(message);
    this.code = code;
    this.status = about.status;
    this.retryAfter = about.retryAfter;
    this.field = about.field;
    this.opensAt = about.opensAt;
  }
}

interface About {
  status?: number;
  retryAfter?: number;
  field?: string;
  opensAt?: string;
}

const PATIENCE = 30_000;

export function initiate(body: BodyOf<'initiateRedemption'>, key: string) {
  return post(routes.initiateRedemption, body, key);
}

export function complete(body: BodyOf<'completeRedemption'>, key: string) {
  return post(routes.completeRedemption, body, key);
}

export function openProducts(token: string) {
  return post(routes.listRedeemedProducts, { download_token: token });
}

export async function requestMyProducts(body: BodyOf<'requestMyProducts'>): Promise<void> {
  await post(routes.requestMyProducts, body);
}

export async function requestOrder(body: BodyOf<'requestOrder'>): Promise<void> {
  await post(routes.requestOrder, body);
}

export function openOrder(token: string) {
  return post(routes.openOrder, { token });
}

export async function requestHelp(body: BodyOf<'requestHelp'>, key: string): Promise<void> {
  await post(routes.requestHelp, body, key);
}

export function openMyProducts(token: string) {
  return post(routes.openMyProducts, { token });
}

export async function releaseMachine(token: string, machine: string): Promise<void> {
  await post(routes.releaseMachine, { token, machine_id: machine });
}

export function findDeviceCode(body: BodyOf<'findDeviceCode'>) {
  return post(routes.findDeviceCode, body);
}

export function listDeviceSerials(body: BodyOf<'listDeviceSerials'>) {
  return post(routes.listDeviceSerials, body);
}

export async function confirmDeviceCode(body: BodyOf<'confirmDeviceCode'>): Promise<void> {
  await post(routes.confirmDeviceCode, body);
}

export async function denyDeviceCode(body: BodyOf<'denyDeviceCode'>): Promise<void> {
  await post(routes.denyDeviceCode, body);
}

/** The license file for the machine file of a computer without internet. */
export async function createOfflineLicense(body: BodyOf<'createOwnOfflineLicense'>): Promise<string> {
  const response = await request(routes.createOwnOfflineLicense.path, asJson(body), 'text/plain');
  return response.text();
}

/** Frees the seat of a computer without internet, by what its plugin wrote. */
export async function releaseOfflineLicense(body: BodyOf<'releaseOwnOfflineLicense'>): Promise<void> {
  await post(routes.releaseOwnOfflineLicense, body);
}

/** Reads the branding by the developer's id, or by the domain that the page is on. */
export function readBranding(of: { dev: string } | { host: string }): Promise<Branding> {
  return send(addressOf('dev' in of ? routes.getBranding : routes.getBrandingByHost, {}, { ...of }), {});
}

/** One key for each press of a button, kept across retries. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function asJson(body: unknown, key?: string): RequestInit {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (key) headers['idempotency-key'] = key;
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

function post<Id extends OperationId>(route: Route<Id>, body: BodyOf<Id>, key?: string): Promise<AnswerOf<Id>> {
  return send(route.path, asJson(body, key));
}

export async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
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
    const {
      code = response.status >= 502 ? 'unavailable' : 'unexpected',
      message = '',
      errors,
      opens_at,
    } = answer ?? {};
    const wait = Number(response.headers.get('retry-after'));
    throw new RedeemError(code, message, {
      status: response.status,
      ...(wait > 0 ? { retryAfter: wait } : {}),
      ...(errors?.[0] ? { field: errors[0].path } : {}),
      ...(opens_at ? { opensAt: opens_at } : {}),
    });
  }
  // the sign-in page of a captive portal also returns 200
  if (!response.headers.get('content-type')?.startsWith(type)) throw new RedeemError('unexpected');
  return response;
}
