import { createHash, createHmac, randomUUID } from 'node:crypto';
import { type ApiHost, answer, send } from './api-host.ts';

interface Event {
  id: string;
  type: string;
  live: boolean;
  created: number;
  data: object;
}

/** A FastSpring store: many events in one request, new ids when they are sent by hand, and whatever its license call is answered with 200 is printed as the code. */
export class FastSpringShop {
  readonly credentials = { key: 'api-user', secret: 'api-password', license_key: 'private-key-of-the-call' };
  readonly unprocessed: Event[] = [];
  readonly #address: string;
  readonly #secret: string;

  constructor({ address, secret }: { address: string; secret: string }, host: ApiHost) {
    this.#address = address;
    this.#secret = secret;
    host.serve('fastspring', ({ path, method, authorization }) => {
      const { key, secret: password } = this.credentials;
      if (authorization !== `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`)
        return answer({ status: 401, json: {} });
      if (path === '/events/unprocessed')
        return { events: this.unprocessed.slice(0, 25), more: this.unprocessed.length > 25 };
      const at = this.unprocessed.findIndex(({ id }) => path === `/events/${id}`);
      if (method !== 'POST' || at === -1) return undefined;
      this.unprocessed.splice(at, 1);
      return { events: [] };
    });
  }

  event(type: string, data: object, fields: Partial<Event> = {}): Event {
    return { id: randomUUID(), type, live: true, created: Date.now() - 1000, data, ...fields };
  }

  /** @returns the status; by 200 all of them are done. */
  async send(...events: Event[]): Promise<number> {
    const body = JSON.stringify({ events });
    const signature = createHmac('sha256', this.#secret).update(body).digest('base64');
    const headers = { 'content-type': 'application/json', 'x-fs-signature': signature };
    return (await send(this.#address, headers, body)).status;
  }

  /** Its license call. @returns what is printed as the customer's codes; null: the order has none. */
  async license(fields: Record<string, string>, privateKey = this.credentials.license_key): Promise<string[] | null> {
    const names = Object.keys(fields).sort((a, b) => (a < b ? -1 : 1));
    const hash = createHash('md5')
      .update(names.map((name) => fields[name]).join('') + privateKey)
      .digest('hex');
    const form = new URLSearchParams({ ...fields, security_request_hash: hash });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status, text } = await send(`${this.#address}/license`, headers, form.toString());
    return status === 200 ? text.split('\n') : null;
  }
}

export const fastspringOrder = (reference: string, email: string, fields: object = {}) => ({
  id: `id-of-${reference}`,
  reference,
  currency: 'EUR',
  payoutCurrency: 'USD',
  total: 59.5,
  tax: 9.5,
  subtotal: 50,
  discount: 0,
  customer: { first: 'Nina', last: 'Simone', email },
  address: { country: 'DE' },
  language: 'de',
  items: [{ product: 'glide', sku: 'GLIDE', quantity: 1, subtotal: 50, discount: 0, subtotalInPayoutCurrency: 54 }],
  ...fields,
});
