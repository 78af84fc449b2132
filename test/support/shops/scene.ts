import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { call, makeProduct, type Person, signUpVerified } from '../http.ts';
import { wakeWorkers } from '../queue-job.ts';
import type { SharedServer } from '../server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Loose = any;

type Parts = Pick<ShopScene, 'ada' | 'shopId' | 'address' | 'secret' | 'glide' | 'prism'>;

/** A developer with two products, mapped as GLIDE and PRISM, and a shop of a kind that sells them. */
export class ShopScene {
  readonly server: SharedServer;
  readonly ada: Person;
  readonly shopId: string;
  readonly address: string;
  readonly secret: string;
  readonly glide: { id: string };
  readonly prism: { id: string };

  private constructor(server: SharedServer, parts: Parts) {
    this.server = server;
    this.ada = parts.ada;
    this.shopId = parts.shopId;
    this.address = parts.address;
    this.secret = parts.secret;
    this.glide = parts.glide;
    this.prism = parts.prism;
  }

  /** The scene of a shop that exists. */
  static of(server: SharedServer, parts: Parts): ShopScene {
    return new ShopScene(server, parts);
  }

  static async begin(server: SharedServer, shop: object, items?: readonly object[]): Promise<ShopScene> {
    const ada = await signUpVerified(server);
    const body = { name: 'My shop', ...shop };
    const made = await call(server, 'POST', '/api/shops', { token: ada.token, body });
    expect(made.status, made.text).toBe(201);
    const [glide, prism] = [await makeProduct(server, ada.token), await makeProduct(server, ada.token)];
    const { id: shopId, address } = made.body.shop;
    const secret = made.body.secret ?? (shop as { secret?: string }).secret;
    const scene = new ShopScene(server, { ada, shopId, address, secret, glide, prism });
    const mapping = items ?? [
      { key: 'GLIDE', product_ids: [glide.id] },
      { key: 'PRISM', product_ids: [prism.id] },
    ];
    if (mapping.length > 0) await scene.map(mapping);
    return scene;
  }

  api(method: string, path: string, body?: object) {
    return call(this.server, method, path, { token: this.ada.token, ...(body ? { body } : {}) });
  }

  async map(items: readonly object[]): Promise<void> {
    const answer = await this.api('PUT', `/api/shops/${this.shopId}/items`, { items });
    expect(answer.status, answer.text).toBe(200);
  }

  async order(number: string): Promise<Loose> {
    const { body } = await this.api('GET', `/api/shop-orders?search=${encodeURIComponent(number)}`);
    if (body.rows.length === 0) return undefined;
    return (await this.api('GET', `/api/shop-orders/${body.rows[0].id}`)).body.order;
  }

  /** Waits until an order is that. */
  async becomes(number: string, expected: object): Promise<Loose> {
    const look = async () => {
      await this.hurry();
      return this.order(number);
    };
    await expect.poll(look, { timeout: 30_000 }).toMatchObject(expected);
    return this.order(number);
  }

  /** Retries failed jobs now, instead of after seconds. */
  async hurry(): Promise<void> {
    const hurried = await this.server.db.query<{ name: string }>(
      `update pgboss.job set start_after = now()
       where name in ('shop-order', 'shop-note') and state = 'retry' and start_after > now() and data ->> 'accountId' = $1 returning name`,
      [this.ada.id],
    );
    for (const name of new Set(hurried.map((job) => job.name))) await wakeWorkers(this.server.db, name);
  }

  /** Waits until nothing that came is waiting any more. */
  async done(): Promise<void> {
    const waiting = async () => (await this.api('GET', `/api/shops/${this.shopId}`)).body.waiting;
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
  }
}

export const buyer = () => `buyer-${randomUUID()}@example.com`;
export const unitsOf = (order: Loose): Loose[] => order.lines.flatMap(({ units }: Loose) => units);
