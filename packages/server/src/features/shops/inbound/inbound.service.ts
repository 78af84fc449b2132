import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { type Clock, SECOND } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { takesSecret } from '../connections/secrets.ts';
import { type NoticeDependencies, tellOfShop } from '../connections/shop-notices.ts';
import { isOfApi } from '../connections/trouble.ts';
import { connectors } from '../connectors/index.ts';
import type { Part } from '../connectors/port.ts';
import { type OrderWork, orderJob } from '../orders/order-job.ts';
import { SECRET_PURPOSE } from '../sealed.ts';
import { type ShopsDb, type ShopsHandle, tables } from '../tables.ts';

/** How exactly the last delivery, and the last that was refused, are known: a burst of them must not wait for one row. */
const NOTED_EVERY = 10 * SECOND;
/** Those that show what a delivery is, and whose it is. */
const KEPT_HEADERS = /^(content-type|user-agent|webhook-(id|timestamp)|x-(shopify|wc|fs|event)-[a-z-]+)$/;
/** What must not be kept, because whoever reads it could sign with it or pretend to be the shop. */
const SIGNATURES = /hmac|signature/;
const LONGEST_HEADER = 300;

const findShop = tables.named('inbound_shop', (begin, accountId: string, token: string) =>
  begin
    .selectFrom('shop_connections')
    .select(['id', 'developer_id', 'kind', 'name', 'mode', 'state', 'secret', 'previous_secret', 'previous_until'])
    .select(['last_event_at', 'refused_at', 'refused_why', 'trouble'])
    .where('developer_id', '=', accountId)
    .where('token', '=', token)
    .where('deleted_at', 'is', null),
);
type InboundShop = Awaited<ReturnType<typeof findShop>>[number];

interface Dependencies extends NoticeDependencies {
  db: ShopsDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  jobs: Jobs;
}

interface Arrived {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Takes in what shops report: verified, kept as it is, and answered; what it means is found out later. */
export class InboundDeliveries {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Keeps a delivery once, however often it is sent, and queues the work on its order.
   * @throws {AppError} not_found for an address that is nobody's; unauthorized for what the shop has not signed.
   */
  async receive(accountId: string, token: string, { headers, body }: Arrived): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    const [shop] = isId(accountId) ? await findShop(db, accountId, token) : [];
    if (!shop) throw notFound('Shop');
    const connector = connectors[shop.kind];
    const now = clock.now();
    const secrets = this.#secretsOf(shop, now);
    const verdict =
      takesSecret(shop.kind) && secrets.length === 0
        ? ({ ok: false, why: 'This shop has no secret yet, so nothing that comes can be trusted.' } as const)
        : connector.verify({ headers, body, now }, secrets);
    if (!verdict.ok) {
      await this.#noteRefused(shop, verdict.why, now);
      throw new AppError('unauthorized', verdict.why);
    }
    if (verdict.isPing) return;
    const parts: Part[] = connector.parts?.({ headers, body }) ?? [{ label: connector.label({ headers, body }), body }];
    await db.work({ tx: true }, async (tx) => {
      const works: OrderWork[] = [];
      for (const part of parts)
        if (await this.#keep(tx, shop, part, { headers, now }))
          works.push({ accountId: shop.developer_id, shopId: shop.id, orderKey: part.label.orderKey as string });
      // what the API refuses is not mended by what is sent
      const ofApi = shop.trouble !== null && isOfApi(shop.trouble) ? shop.trouble : null;
      const trouble = parts.find(({ label }) => label.trouble)?.label.trouble ?? ofApi;
      if (isOld(shop.last_event_at, now) || shop.trouble !== trouble)
        await tx
          .updateTable('shop_connections')
          .set({
            last_event_at: now,
            trouble,
            state: sql`case when state = 'off' then state when ${trouble}::text is null then 'active' else 'attention' end`,
          })
          .where('developer_id', '=', shop.developer_id)
          .where('id', '=', shop.id)
          .execute();
      if (trouble !== null && shop.trouble !== trouble)
        await tellOfShop(this.#deps, tx, shop.developer_id, {
          shop_id: shop.id,
          name: shop.name,
          what: 'trouble',
          detail: trouble,
        });
      if (shop.state !== 'off') await jobs.enqueueAll(tx, orderJob, works);
    });
  }

  /** @returns whether it is new, and there is something to be done about it. */
  async #keep(
    tx: ShopsHandle,
    shop: InboundShop,
    { label, body }: Part,
    { headers, now }: { headers: IncomingHttpHeaders; now: Date },
  ): Promise<boolean> {
    const ignored = label.ignored ?? (label.orderKey === null ? 'It is about no order.' : null);
    const kept = await tx
      .insertInto('shop_deliveries')
      .values({
        id: this.#deps.random.id(),
        developer_id: shop.developer_id,
        connection_id: shop.id,
        key: label.key,
        body_hash: hash('sha256', body, 'buffer'),
        body,
        headers: JSON.stringify(keptOf(headers)),
        event: label.event,
        order_key: label.orderKey,
        state: ignored === null ? 'received' : 'ignored',
        why: ignored,
        received_at: now,
        done_at: ignored === null ? null : now,
      })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst();
    return kept !== undefined && ignored === null;
  }

  /** Those that are accepted now, the newest first. One that is blank is none: anybody could sign with it. */
  #secretsOf({ secret, previous_secret, previous_until }: InboundShop, now: Date): string[] {
    const { secrets } = this.#deps;
    const isRotating = previous_until !== null && previous_until > now;
    return [secret, isRotating ? previous_secret : null].flatMap((sealed) => {
      const text = sealed ? secrets.open(Buffer.from(sealed), SECRET_PURPOSE).toString() : '';
      return text.trim() === '' ? [] : [text];
    });
  }

  async #noteRefused(shop: InboundShop, why: string, now: Date): Promise<void> {
    if (!isOld(shop.refused_at, now) && shop.refused_why === why) return;
    await this.#deps.db
      .updateTable('shop_connections')
      .set({ refused_at: now, refused_why: why })
      .where('developer_id', '=', shop.developer_id)
      .where('id', '=', shop.id)
      .where(sql<boolean>`(refused_at is null or refused_at < ${now}::timestamptz)`)
      .execute();
  }
}

const isOld = (at: Date | null, now: Date) => at === null || now.getTime() - at.getTime() > NOTED_EVERY;

function keptOf(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && KEPT_HEADERS.test(name) && !SIGNATURES.test(name)
      ? [[name, value.slice(0, LONGEST_HEADER)] as const]
      : [],
  );
  return Object.fromEntries(kept);
}
