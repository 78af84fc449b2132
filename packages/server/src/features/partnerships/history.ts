import type { Clock } from '#platform/clock.ts';
import { json } from '#platform/db/work.ts';
import type { Random } from '#platform/random.ts';
import type { RateChange } from './partnerships.entity.ts';
import type { HappeningKind } from './partnerships.schemas.ts';
import type { PartnershipsHandle } from './tables.ts';

interface Happening {
  developerId: string;
  partnershipId: string;
  kind: HappeningKind;
  /** The account that did it. */
  actorId: string;
  rate?: RateChange;
  /** Default: now. */
  at?: Date;
}

/** Adds to a partnership's history, in the transaction in which it happens. */
export async function recordEvent(
  tx: PartnershipsHandle,
  { clock, random }: { clock: Clock; random: Random },
  { developerId, partnershipId, kind, actorId, rate, at = clock.now() }: Happening,
): Promise<void> {
  await tx
    .insertInto('partnership_events')
    .values({
      developer_id: developerId,
      id: random.id(),
      partnership_id: partnershipId,
      kind,
      actor_id: actorId,
      rate: rate ? json(rate) : null,
      happened_at: at,
    })
    .execute();
}
