import { type RawBuilder, sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { recordWebhook } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants } from '#platform/db/tenant.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import type { Random } from '#platform/random.ts';
import { recordEvent } from './history.ts';
import { endedEmail } from './partnership-emails.ts';
import type { PartnershipsEvent } from './partnerships.schemas.ts';
import { developersOf } from './reseller-developers.ts';
import { tables } from './tables.ts';

interface Dependencies {
  clock: Clock;
  random: Random;
  emailQueue: EmailQueue;
  events: Publisher<PartnershipsEvent>;
  publicUrl: string;
}

interface Ending extends Columns<'partnerships', 'developer_id' | 'id'> {
  other_id: string;
  /** Null when that account was deleted too. */
  other_email: string | null;
  leaver: string;
}

/**
 * Ends the partnerships of an account of either role and notifies the other sides, in the transaction that deletes the
 * account and before its name is blanked. The rows stay, for the ledger.
 */
export async function endAllOf(handle: Sql, deps: Dependencies, accountId: string): Promise<void> {
  const tx = tables.in(handle);
  const { clock, emailQueue, events, publicUrl } = deps;
  const developers = await developersOf(tx, accountId);
  const ofAccount = (scope: RawBuilder<unknown>) =>
    sql<Ending>`
    select p.developer_id, p.id, other.id as other_id,
      case when other.deleted_at is null then other.email end as other_email, ${nameOf('me')} as leaver
    from partnerships p join users me on me.id = ${accountId}
      join users other on other.id = case when p.developer_id = ${accountId} then p.reseller_id else p.developer_id end
    where ${scope} and p.status in ('active', 'paused')
    order by p.developer_id, p.id`.execute(tx);
  const { rows: given } = await ofAccount(sql`p.developer_id = ${accountId}`);
  const { rows: taken } = await ofAccount(sql`p.reseller_id = ${accountId} and ${ofTenants('p', developers)}`);
  for (const { developer_id, id, other_id, other_email, leaver } of [...given, ...taken]) {
    const ended = await tx
      .updateTable('partnerships')
      .set({ status: 'ended', ended_at: clock.now() })
      .where('developer_id', '=', developer_id)
      .where('id', '=', id)
      .where('status', 'in', ['active', 'paused'])
      .returning('commission_bps')
      .executeTakeFirst();
    if (!ended) continue;
    await recordEvent(tx, deps, { developerId: developer_id, partnershipId: id, kind: 'ended', actorId: accountId });
    const url = `${publicUrl}${developer_id === accountId ? '/reseller/partners' : '/dashboard/resellers'}`;
    const rate = ended.commission_bps / 100;
    if (other_email) await emailQueue.queue(tx, endedEmail({ to: other_email, from: leaver, url }, rate));
    const data = { partnership_id: id, developer_id, status: 'ended' as const };
    await events.publish(tx, other_id, { type: 'partnerships', data });
    await recordWebhook(tx, other_id, {
      type: 'partnership.ended',
      at: clock.now(),
      data: {
        partnership_id: id,
        developer_id,
        reseller_id: developer_id === accountId ? other_id : accountId,
      },
    });
  }
}
