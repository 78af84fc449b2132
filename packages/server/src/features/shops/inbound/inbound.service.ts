import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { InTurns } from '#platform/limits/in-turns.ts';
import type { Random } from '#platform/random.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { takesSecret } from '../connections/secrets.ts';
import type { ShopEmailDependencies } from '../connections/shop-emails.ts';
import { connectors } from '../connectors/index.ts';
import type { Part } from '../connectors/port.ts';
import { SECRET_PURPOSE } from '../sealed.ts';
import { type ShopsDb, tables } from '../tables.ts';
import { isOld, Keeping } from './keeping.ts';

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

interface Dependencies extends ShopEmailDependencies {
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
  readonly #keeping: Keeping;
  /** Deliveries that arrive during a look-up are looked up together after it: a burst asks once, not for each. */
  readonly #lookups: InTurns<{ accountId: string; token: string }, InboundShop | undefined>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#keeping = new Keeping(deps);
    this.#lookups = new InTurns(
      async (all) => {
        const [{ accountId, token }] = all as [{ accountId: string; token: string }];
        const [shop] = await findShop(deps.db, accountId, token);
        return all.map(() => shop);
      },
      () => true,
    );
  }

  /**
   * Keeps a delivery once, however often it is sent, and queues the work on its order.
   * @throws {AppError} not_found for an address that is nobody's; unauthorized for what the shop has not signed.
   */
  async receive(accountId: string, token: string, { headers, body }: Arrived): Promise<void> {
    const { clock } = this.#deps;
    const shop = isId(accountId) ? await this.#lookups.take(`${accountId} ${token}`, { accountId, token }) : undefined;
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
    await this.#keeping.keep({ shop, headers, bytes: body.length, parts });
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
