import type { OpenedProducts, RedemptionResult } from '@tonerow/sdk';

/** What a musician is told when a call went wrong. The redemption page has no room for the whole SDK. */
export class RedeemError extends Error {
  override name = 'RedeemError';
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

interface Texts {
  offline: string;
  failed: string;
  unexpected: string;
}

interface Initiation {
  serial: string;
  email: string;
  dev?: string | undefined;
  download_token?: string | undefined;
}

export function initiate(body: Initiation, key: string, texts: Texts): Promise<RedemptionResult> {
  return post('/api/redeem/initiate', body, texts, key);
}

export function complete(
  body: { temp_token: string; first_name: string; last_name: string },
  key: string,
  texts: Texts,
): Promise<RedemptionResult> {
  return post('/api/redeem/complete', body, texts, key);
}

export function openProducts(token: string, texts: Texts): Promise<OpenedProducts> {
  return post('/api/redeem/products', { download_token: token }, texts);
}

/** One key for one press of a button, kept over its repeats. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function post<Answer>(path: string, body: unknown, texts: Texts, key?: string): Promise<Answer> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (key) headers['idempotency-key'] = key;
  let response: Response;
  try {
    response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  } catch {
    throw new RedeemError(texts.offline);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const message = (answer as { message?: unknown } | null)?.message;
    throw new RedeemError(typeof message === 'string' && message !== '' ? message : texts.failed, response.status);
  }
  if (answer === null || typeof answer !== 'object') throw new RedeemError(texts.unexpected);
  return answer as Answer;
}
