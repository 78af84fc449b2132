import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { PayoutEmails } from '../emails/payout-emails.service.ts';
import { SILENCE, UNPAID_REMINDER } from '../payout-rules.ts';
import { notifyPayoutConfirmed } from '../payout-webhooks.ts';
import type { PayoutMessageKind } from '../payouts.schemas.ts';
import { lockPayout, type PayoutRow, type Side } from '../statements/payouts.queries.ts';
import type { PayoutsDb, PayoutsHandle } from '../tables.ts';

interface Dependencies {
  db: PayoutsDb;
  clock: Clock;
  random: Random;
  payoutEmails: PayoutEmails;
}

/** The most disputes of one statement: what follows one is never refused, so this bounds all its messages. */
const MOST_DISPUTES = 50;

/** Confirming, disputing and answering: the two agree on a sum before money moves. */
export class Agreement {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The reseller confirms a statement. A repeat changes nothing; a dispute is withdrawn by it. */
  confirm(caller: Principal, id: string): Promise<void> {
    return this.#act('reseller', caller, id, async (tx, payout, now, mayEmail) => {
      if (payout.confirmed_at && payout.status !== 'disputed') return;
      await this.addMessage(tx, payout, { kind: 'confirm', authorId: caller.accountId, text: null });
      await this.setConfirmed(tx, payout, now);
      await this.#deps.payoutEmails.confirmed(tx, payout, mayEmail);
    });
  }

  /** The reseller disputes a statement, while nothing or only a part is paid. */
  dispute(caller: Principal, id: string, reason: string): Promise<void> {
    return this.#act('reseller', caller, id, async (tx, payout, now, mayEmail) => {
      if (payout.status === 'disputed')
        throw new AppError('conflict', 'This statement is disputed. Wait for the answer.');
      if (payout.status !== 'pending' && payout.status !== 'confirmed')
        throw new AppError('conflict', 'Only a statement that has not been paid can be disputed.');
      await this.addMessage(tx, payout, { kind: 'dispute', authorId: caller.accountId, text: reason });
      await change(tx, payout, { status: 'disputed', disputed_at: now, confirmed_at: null, remind_at: null });
      await this.#deps.payoutEmails.disputed(tx, payout, reason, mayEmail);
    });
  }

  /** The developer answers a dispute. The statement waits for the reseller's confirmation again. */
  answer(caller: Principal, id: string, text: string): Promise<void> {
    return this.#act('developer', caller, id, async (tx, payout, now, mayEmail) => {
      if (payout.status !== 'disputed') throw new AppError('conflict', 'This statement is not disputed.');
      await this.addMessage(tx, payout, { kind: 'answer', authorId: caller.accountId, text });
      const remindAt = new Date(now.getTime() + SILENCE * DAY);
      await change(tx, payout, { status: 'pending', disputed_at: null, remind_at: remindAt });
      await this.#deps.payoutEmails.answered(tx, payout, text, mayEmail);
    });
  }

  async setConfirmed(tx: PayoutsHandle, payout: PayoutRow, now: Date): Promise<void> {
    const unpaid = payout.status === 'pending' || payout.status === 'disputed';
    await change(tx, payout, {
      confirmed_at: now,
      disputed_at: null,
      status: unpaid ? 'confirmed' : payout.status,
      remind_at: unpaid ? new Date(Math.max(now.getTime(), payout.closed_at.getTime() + UNPAID_REMINDER * DAY)) : null,
    });
    await notifyPayoutConfirmed(tx, payout, now);
  }

  /** The caller holds the statement, so that nobody else adds a message at the same time. */
  async addMessage(
    tx: PayoutsHandle,
    { developer_id, id }: PayoutRow,
    message: { kind: PayoutMessageKind; authorId: string | null; text: string | null },
  ): Promise<void> {
    const { random, clock } = this.#deps;
    if (message.kind === 'dispute') {
      const { n } = await tx
        .selectFrom('payout_messages')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('developer_id', '=', developer_id)
        .where('payout_id', '=', id)
        .where('kind', '=', 'dispute')
        .executeTakeFirstOrThrow();
      if (n >= MOST_DISPUTES)
        throw new AppError('domain_rule', `A statement can be disputed at most ${MOST_DISPUTES} times.`);
    }
    await tx
      .insertInto('payout_messages')
      .values({
        developer_id,
        id: random.id(),
        payout_id: id,
        author_id: message.authorId,
        kind: message.kind,
        text: message.text,
        created_at: clock.now(),
      })
      .execute();
  }

  async #act(
    side: Side,
    caller: Principal,
    id: string,
    work: (tx: PayoutsHandle, payout: PayoutRow, now: Date, mayEmail: boolean) => Promise<void>,
  ): Promise<void> {
    const { db, clock, payoutEmails } = this.#deps;
    const mayEmail = await payoutEmails.mayEmail(side, caller.accountId, id);
    await db.work({ tx: true }, async (tx) => {
      const payout = await lockPayout(tx, { side, accountId: caller.accountId }, id);
      if (!payout) throw notFound('Payout');
      await work(tx, payout, clock.now(), mayEmail);
    });
  }
}

const change = (
  tx: PayoutsHandle,
  { developer_id, id }: PayoutRow,
  to: Partial<Pick<PayoutRow, 'status' | 'confirmed_at' | 'disputed_at' | 'remind_at'>>,
) => tx.updateTable('payouts').set(to).where('developer_id', '=', developer_id).where('id', '=', id).execute();
