import { createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Columns } from '#platform/db/tables.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { SECRET_PURPOSE } from '../sealed.ts';
import type { Signer } from './sign.ts';
import type { WebhookKeys } from './webhook-keys.ts';

type Signing = Columns<
  'webhook_endpoints',
  'developer_id' | 'signature' | 'secret' | 'previous_secret' | 'previous_until'
>;

/** The signers of an endpoint: the account's key, or its secret, and during a rotation the previous one too. */
export class Signers {
  readonly #keys: WebhookKeys;
  readonly #secrets: Secrets;
  readonly #opened = new LRUCache<string, KeyObject>({ max: 1000 });

  constructor({ keys, secrets }: { keys: WebhookKeys; secrets: Secrets }) {
    this.#keys = keys;
    this.#secrets = secrets;
  }

  async of(endpoint: Signing, now: Date): Promise<Signer[]> {
    if (endpoint.signature === 'v1a') {
      const keys = await this.#keys.signing(endpoint.developer_id);
      return keys.map(({ privateKey }) => ({ kind: 'v1a', privateKey }));
    }
    const rotating = endpoint.previous_until !== null && endpoint.previous_until > now;
    const sealed = [endpoint.secret, ...(rotating && endpoint.previous_secret ? [endpoint.previous_secret] : [])];
    return sealed.map((each) => ({ kind: 'v1', secret: this.#open(each) }));
  }

  #open(sealed: Uint8Array): KeyObject {
    const key = Buffer.from(sealed).toString('base64');
    const known = this.#opened.get(key);
    if (known) return known;
    const secret = createSecretKey(this.#secrets.open(Buffer.from(sealed), SECRET_PURPOSE));
    this.#opened.set(key, secret);
    return secret;
  }
}
