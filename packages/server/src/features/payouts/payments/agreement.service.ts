import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { PayoutNotices } from '../notices/payout-notices.service.ts';
import { tellConfirmed } from '../notices/payout-webhooks.ts';
import { SILENCE, UNPAID_REMINDER } from '../payout-rules.ts';
import type { PayoutMessageKind } from '../payouts.schemas.ts';
import { lockPayout, type PayoutRow, type Side } from '../statements/payouts.queries.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  notices: PayoutNotices;
}

/** Of one statement: what follows a dispute is never refused, so this bounds all its messages. */
const MOST_DISPUTES = 50;

/** Confirming, disputing and answering: the two agree on a sum before money moves. */
export class Agreement {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** By the reseller. A repeat changes nothing; a dispute is withdrawn by it. */
  confirm(caller: Principal, id: string): Promise<void> {
    return this.#act('reseller', caller, id, async (tx, payout, now, mayEmail) => {
      if (payout.confirmed_at && payout.status !== 'disputed') return;
      await this.say(tx, payout, { kind: 'confirm', authorId: caller.userId, text: null });
      await this.setConfirmed(tx, payout, now);
      await this.#deps.notices.confirmed(tx, payout, mayEmail);
    });
  }

  /** By the reseller, while nothing or only a part is paid. */
  dispute(caller: Principal, id: string, reason: string): Promise<void> {
    return this.#act('reseller', caller, id, async (tx, payout, now, mayEmail) => {
      if (payout.status === 'disputed')
        throw new AppError('conflict', 'This statement is disputed. Wait for the answer.');
      if (payout.status !== 'pending' && payout.status !== 'confirmed')
        throw new AppError('conflict', 'Only a statement that has not been paid can be disputed.');
      await this.say(tx, payout, { kind: 'dispute', authorId: caller.userId, text: reason });
      await tx.query(
        `update payouts set status = 'disputed', disputed_at = $3, confirmed_at = null, remind_at = null where developer_id = $1 and id = $2`,
        [payout.developer_id, payout.id, now],
      );
      await this.#deps.notices.disputed(tx, payout, reason, mayEmail);
    });
  }

  /** By the developer: the statement waits for the reseller's confirmation again. */
  answer(caller: Principal, id: string, text: string): Promise<void> {
    return this.#act('developer', caller, id, async (tx, payout, now, mayEmail) => {
      if (payout.status !== 'disputed') throw new AppError('conflict', 'This statement is not disputed.');
      await this.say(tx, payout, { kind: 'answer', authorId: caller.userId, text });
      await tx.query(
        `update payouts set status = 'pending', disputed_at = null, remind_at = $3 where developer_id = $1 and id = $2`,
        [payout.developer_id, payout.id, new Date(now.getTime() + SILENCE * DAY)],
      );
      await this.#deps.notices.answered(tx, payout, text, mayEmail);
    });
  }

  async setConfirmed(sql: Sql, payout: PayoutRow, now: Date): Promise<void> {
    const unpaid = payout.status === 'pending' || payout.status === 'disputed';
    await sql.query(
      `update payouts set confirmed_at = $3, disputed_at = null, status = $4, remind_at = $5 where developer_id = $1 and id = $2`,
      [
        payout.developer_id,
        payout.id,
        now,
        unpaid ? 'confirmed' : payout.status,
        unpaid ? new Date(Math.max(now.getTime(), payout.closed_at.getTime() + UNPAID_REMINDER * DAY)) : null,
      ],
    );
    await tellConfirmed(sql, payout, now);
  }

  async say(
    sql: Sql,
    payout: PayoutRow,
    message: { kind: PayoutMessageKind; authorId: string | null; text: string | null },
  ): Promise<void> {
    const { random, clock } = this.#deps;
    const made = await sql.query(
      `insert into payout_messages (developer_id, id, payout_id, author_id, kind, text, created_at)
       select $1, $2, $3, $4, $5::text, $6, $7
       where $5::text <> 'dispute' or (select count(*) from payout_messages m
         where m.developer_id = $1 and m.payout_id = $3 and m.kind = 'dispute') < ${MOST_DISPUTES} returning id`,
      [payout.developer_id, random.id(), payout.id, message.authorId, message.kind, message.text, clock.now()],
    );
    if (made.length === 0)
      throw new AppError('domain_rule', `A statement can be disputed at most ${MOST_DISPUTES} times.`);
  }

  async #act(
    side: Side,
    caller: Principal,
    id: string,
    work: (tx: Sql, payout: PayoutRow, now: Date, mayEmail: boolean) => Promise<void>,
  ): Promise<void> {
    const { db, clock, notices } = this.#deps;
    const mayEmail = await notices.mayEmail(side, caller.userId, id);
    await db.transaction(async (tx) => {
      const payout = await lockPayout(tx, { side, userId: caller.userId }, id);
      if (!payout) throw notFound('Payout');
      await work(tx, payout, clock.now(), mayEmail);
    });
  }
}
