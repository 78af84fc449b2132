import { type Customers, DownloadProofs } from '#features/customers';
import type { QuotaEmails } from '#features/plans';
import { findInText, type LowSerialsEvent } from '#features/serials';
import { type Clock, MINUTE } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { addressOf } from '#platform/network/addresses.ts';
import { base62, type Random } from '#platform/random.ts';
import { type Secrets, sha256 } from '#platform/secrets/secrets.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { workFor } from '#platform/work-context.ts';
import type { ProductCard } from '../downloads/downloads.schemas.ts';
import type { ProductCards } from '../downloads/product-cards.ts';
import { type Proven, stillProven } from '../downloads/proven.ts';
import { limits as policies } from '../limits.ts';
import type { RedemptionDb } from '../tables.ts';
import { type FoundSerial, findByCode, findById } from './redeem.queries.ts';
import type { RedemptionEvent } from './redeem.schemas.ts';
import {
  type RedeemSerialInput,
  type RedeemSerialOutcome,
  type RedemptionEmails,
  redeemSerial,
} from './redeem-serial.ts';
import { RedemptionFigures } from './redemption-figures.ts';
import { assertRedeemable } from './redemption-rules.ts';
import { RefusedRedemptions } from './refused-redemptions.ts';
import type { SaleEvent } from './sale-event.ts';
import { addTicket, expireTickets, ticketOf, useTicket } from './tickets.ts';

const TICKET_LIFETIME = 15 * MINUTE;
/** The visitor that a redemption came from. */
interface Visitor {
  country: string | null;
  ip: string;
}

/** The number of serials that one browser can collect in one download token. */
const MAX_PROVEN = 100;

interface Dependencies {
  db: RedemptionDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  limits: RateLimits;
  customers: Customers;
  cards: ProductCards;
  events: Publisher<RedemptionEvent | SaleEvent | LowSerialsEvent>;
  emails: RedemptionEmails;
  jobs: Jobs;
  quotaEmails: QuotaEmails;
  metrics: Metrics;
}

export interface RedemptionAnswer {
  require_name: boolean;
  temp_token?: string;
  download_token?: string;
  products?: ProductCard[];
}

interface Initiation {
  serial: string;
  email: string;
  dev?: string | undefined;
  download_token?: string | undefined;
  language?: Language | undefined;
}

/** Makes a serial a customer's and opens its downloads. */
export class Redemptions {
  readonly figures: RedemptionFigures;
  /** Refused redemptions. The feature that shows them to developers registers here. */
  readonly refused = new RefusedRedemptions();
  readonly #deps: Dependencies;
  readonly #proofs: DownloadProofs;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.figures = new RedemptionFigures(deps);
    this.#proofs = new DownloadProofs(deps);
  }

  /** Hourly: deletes tickets that can no longer be used. */
  async expireTickets(): Promise<void> {
    await expireTickets(this.#deps.db, this.#deps.clock.now());
  }

  /** See {@link redeemSerial}. */
  async redeemSerial(sql: Sql, input: RedeemSerialInput): Promise<RedeemSerialOutcome> {
    const done = await redeemSerial({ ...this.#deps, proofs: this.#proofs }, sql, input);
    if (done.outcome === 'quota_blocked') this.#deps.quotaEmails.noteRefused(input.developerId);
    return done;
  }

  /**
   * The serial step. A known customer redeems an available serial at once; a new one gets a ticket for the name step,
   * and nothing is redeemed yet; a serial that this address already owns opens its downloads again.
   */
  async initiate(form: Initiation, { country, ip }: Visitor): Promise<RedemptionAnswer> {
    const { db, clock, customers, limits } = this.#deps;
    // counted per client address and email together: by email alone, a stranger elsewhere could lock the owner out
    await limits.take(policies.redeem_account, `${addressOf(ip)} ${emailKey(form.email)}`);
    const serial = await this.#find(form.serial, form.dev ?? null);
    const proven = await this.#proven(form.download_token);
    return this.refused.noted(serial, async () => {
      if (serial.redeemed_at !== null) return this.#open(await this.#reopen(serial, form.email), proven);
      assertRedeemable(serial, clock.now());
      const customer = await customers.byEmail(db, serial.developer_id, form.email);
      if (!customer?.first_name || !customer.last_name) {
        return { require_name: true, temp_token: await this.#ticket(serial, form.email, proven) };
      }
      await db.work({ tx: true, named: true }, (sql) =>
        this.#redeem(sql, serial, form.email, { country, language: form.language }),
      );
      this.figures.redeemed('redeem');
      return this.#open(serial, proven);
    });
  }

  /** The name step: redeems the serial of the ticket, which is used up only on success. */
  async complete(
    form: { temp_token: string; first_name: string; last_name: string; language?: Language | undefined },
    country: string | null,
  ): Promise<RedemptionAnswer> {
    const { db, clock } = this.#deps;
    const opened = await db.work({ tx: true, named: true }, async (sql) => {
      const ticket = await useTicket(sql, form.temp_token, clock.now());
      if (!ticket)
        throw new AppError('temp_token_invalid', 'This took too long or was sent twice. Enter your serial again.');
      const serial = await findById(sql, ticket.developer_id, ticket.serial_id);
      if (!serial) throw unknownSerial();
      const name = { firstName: form.first_name, lastName: form.last_name, country, language: form.language };
      await this.refused.noted(serial, () => this.#redeem(sql, serial, ticket.email, name));
      return { serial, proven: await stillProven(sql, ticket.proven, ticket.created_at) };
    });
    this.figures.redeemed('redeem');
    return this.#open(opened.serial, opened.proven);
  }

  async #find(code: string, developerId: string | null): Promise<FoundSerial> {
    const found =
      (await findInText(code, async (key) => {
        const rows = await findByCode(this.#deps.db, key, developerId);
        return rows.length > 0 ? rows : undefined;
      })) ?? [];
    const [, second] = found;
    if (second && !isDead(second)) {
      throw new AppError(
        'ambiguous_serial',
        'Please redeem this serial on the page of the plugin’s maker. The link is in your order.',
      );
    }
    if (!found[0]) throw unknownSerial();
    workFor(found[0].developer_id);
    return found[0];
  }

  async #reopen(serial: FoundSerial, email: string): Promise<FoundSerial> {
    if (serial.owner_email_key !== emailKey(email)) {
      throw new AppError(
        'serial_already_redeemed',
        'This serial has already been redeemed with another email address.',
      );
    }
    return serial;
  }

  async #redeem(
    sql: Sql,
    serial: FoundSerial,
    email: string,
    person: { firstName?: string; lastName?: string; country: string | null; language?: Language | undefined },
  ): Promise<void> {
    const { outcome } = await this.redeemSerial(sql, {
      serialId: serial.id,
      developerId: serial.developer_id,
      email,
      firstName: person.firstName ?? null,
      lastName: person.lastName ?? null,
      source: 'redeem',
      country: person.country,
      language: person.language ?? null,
    });
    if (outcome === 'redeemed') return;
    if (outcome === 'quota_blocked') {
      throw new AppError(
        'quota_reached',
        'The plugin’s maker has used up this month’s redemptions. Your serial is fine: ask them to open redemptions again, or try again next month.',
      );
    }
    // another request redeemed it first: with the same address it is still theirs, and the rules may have changed
    // meanwhile
    const current = await findById(sql, serial.developer_id, serial.id);
    if (!current) throw unknownSerial();
    assertRedeemable(current, this.#deps.clock.now());
    await this.#reopen(current, email);
  }

  async #ticket(serial: FoundSerial, email: string, proven: Proven): Promise<string> {
    const { db, clock, random } = this.#deps;
    const token = ticketOf(base62(random, 40), serial.developer_id);
    const now = clock.now();
    const made = await addTicket(db, serial, {
      id: random.id(),
      tokenHash: sha256(token),
      email,
      proven,
      now,
      expiresAt: new Date(now.getTime() + TICKET_LIFETIME),
    });
    if (!made) throw unknownSerial();
    return token;
  }

  async #proven(token: string | undefined): Promise<Proven> {
    const proof = token ? this.#proofs.serialsOf(token) : null;
    return proof ? stillProven(this.#deps.db, proof.serials, proof.at) : {};
  }

  async #open({ developer_id, id }: FoundSerial, proven: Proven): Promise<RedemptionAnswer> {
    const serials = withSerial(proven, developer_id, id);
    return {
      require_name: false,
      download_token: this.#proofs.sign(serials),
      products: await this.#deps.cards.of(serials),
    };
  }
}

/** The newest first, and no more than one browser can collect. */
function withSerial(proven: Proven, developerId: string, id: string): Proven {
  const others = Object.entries(proven).flatMap(([dev, ids]) => ids.map((each) => [dev, each] as const));
  const all = [[developerId, id] as const, ...others.filter(([dev, each]) => dev !== developerId || each !== id)];
  const grouped = Map.groupBy(all.slice(0, MAX_PROVEN), ([dev]) => dev);
  return Object.fromEntries([...grouped].map(([dev, pairs]) => [dev, pairs.map(([, each]) => each)]));
}

/** It has no owner, and can no longer be redeemed. */
function isDead(serial: FoundSerial): boolean {
  return serial.developer_deleted && serial.redeemed_at === null;
}

function unknownSerial(): AppError {
  return new AppError('serial_not_found', 'We don’t recognize this serial. Check it for typos.');
}
