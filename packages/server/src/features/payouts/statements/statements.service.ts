import type { Clock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import { decodeCursor, isMoment, pageOf } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import { toDollars } from '#platform/money.ts';
import { statementNumberIn } from '#platform/text/statement-number.ts';
import { isDay } from '#platform/time/days.ts';
import { balancesOf } from '../payments/balances.ts';
import { whatIf } from '../payments/what-if.ts';
import type { PayoutDetail, PayoutQuery, WhatIfQuery } from '../payouts.schemas.ts';
import type { Seals } from '../seal/seals.service.ts';
import type { PayoutsDb } from '../tables.ts';
import { listMessages, listPayments } from './correspondence.queries.ts';
import { findPayout, isSealed, listPayouts, type Reader, type SealedPayout, summaryOf } from './payouts.queries.ts';
import { listTransactions } from './transactions.queries.ts';

type Page = Pick<PayoutQuery, 'limit' | 'cursor'>;

/** Statements as either side reads them. */
export class Statements {
  readonly #db: PayoutsDb;
  readonly #clock: Clock;
  readonly #seals: Seals;

  constructor({ db, clock, seals }: { db: PayoutsDb; clock: Clock; seals: Seals }) {
    this.#db = db;
    this.#clock = clock;
    this.#seals = seals;
  }

  async list(reader: Reader, query: Partial<PayoutQuery> & Page & Pick<PayoutQuery, 'count'>) {
    const after = decodeCursor(query.cursor, [isDay, isId]);
    const filter = {
      status: query.status,
      year: query.year,
      // text that is no number belongs to no statement
      number: query.number === undefined ? undefined : (statementNumberIn(query.number) ?? ''),
      resellerId: query.reseller_id,
      developerId: query.developer_id,
    };
    const { rows, total } = await listPayouts(this.#db, reader, filter, after, query.limit + 1, query.count);
    const page = pageOf(rows, query.limit, (last) => [last.month, last.id]);
    return { rows: page.rows.map(summaryOf), total: total ?? page.rows.length, next_cursor: page.next_cursor };
  }

  async summary(reader: Reader, id: string) {
    return summaryOf(await this.find(reader, id));
  }

  whatIf(developerId: string, partnershipId: string, query: WhatIfQuery) {
    return whatIf(this.#db, developerId, partnershipId, query, this.#clock.now());
  }

  balances(developerId: string, query: { limit: number; cursor?: string | undefined }) {
    return balancesOf(this.#db, developerId, query);
  }

  async get(reader: Reader, id: string, query: Page): Promise<PayoutDetail> {
    const db = this.#db;
    const payout = await this.find(reader, id);
    const after = decodeCursor(query.cursor, [isMoment, isId]);
    const rows = await listTransactions(db, payout, after, query.limit + 1);
    const page = pageOf(rows, query.limit, (last) => [last.redeemed_at.toISOString(), last.id]);
    return {
      ...summaryOf(payout),
      digest: payout.digest,
      rates: payout.rates.map(({ bps, redemptions, revenue_cents, commission_cents }) => ({
        commission_rate: bps / 100,
        redemptions,
        revenue: toDollars(revenue_cents),
        commission: toDollars(commission_cents),
      })),
      parties: { developer: payout.parties.developer, reseller: payout.parties.reseller },
      payments: await listPayments(db, payout),
      messages: await listMessages(db, payout),
      transactions: page.rows,
      next_cursor: page.next_cursor,
    };
  }

  /**
   * A statement with its seal: who asks for one before it is sealed needn't wait for all others of its month.
   * @throws {AppError} not_found, also when it is somebody else's.
   */
  async find(reader: Reader, id: string): Promise<SealedPayout> {
    const payout = await findPayout(this.#db, reader, id);
    if (!payout) throw notFound('Payout');
    if (isSealed(payout)) return payout;
    await this.#seals.seal(payout.developer_id, payout.partnership_id);
    const sealed = await findPayout(this.#db, reader, id);
    if (!sealed || !isSealed(sealed)) throw new Error(`the statement ${id} cannot be sealed: one before it is missing`);
    return sealed;
  }
}
