import { createHmac } from 'node:crypto';
import type { WebhookEvent } from '@tonerow/sdk';

export interface Forwarded {
  status: number | null;
  /** Why no answer came. */
  error: string | null;
  ms: number;
}

const PATIENCE_MS = 15_000;

/** The body and the headers of an event, as the server would send them with this secret. */
export function signed(
  { id, type, timestamp, test, data }: WebhookEvent,
  secret: Buffer,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ type, timestamp, ...(test ? { test } : {}), data });
  const sentAt = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tonerow-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': sentAt,
      'webhook-signature': `v1,${signature}`,
    },
  };
}

/** Sends an event to a server on this machine. Whatever happens is a result. */
export async function forward(
  event: WebhookEvent,
  url: string,
  secret: Buffer,
  signal: AbortSignal,
): Promise<Forwarded> {
  const { body, headers } = signed(event, secret);
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: stop });
    await response.body?.cancel();
    return { status: response.status, error: null, ms: ms() };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return { status: null, error: code ?? (error as Error).name, ms: ms() };
  }
}
