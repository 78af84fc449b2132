import { createHmac, randomUUID } from 'node:crypto';

/** A shop that signs as Standard Webhooks does: what it sends, and what a bad network makes of that. */
export interface Sent {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export function signedBy(
  secret: string,
  address: string,
  event: object,
  { id = randomUUID() as string, at = new Date(), body = JSON.stringify(event) } = {},
): Sent {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return { url: address, headers, body };
}

export async function deliver({ url, headers, body }: Sent): Promise<number> {
  const answer = await fetch(url, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

/** A shop of an account, as the account sees it, and a hand on what it sends. */
export class OtherShop {
  readonly address: string;
  readonly secret: string;

  constructor({ address, secret }: { address: string; secret: string }) {
    this.address = address;
    this.secret = secret;
  }

  /** Signs an event. @param at its own moment, by which an older version is known; it is sent now. */
  event(type: string, data: object, at = new Date()): Sent {
    return signedBy(this.secret, this.address, { type, timestamp: at.toISOString(), data });
  }

  send(type: string, data: object, at?: Date): Promise<number> {
    return deliver(this.event(type, data, at));
  }
}
