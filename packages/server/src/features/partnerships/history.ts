import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Random } from '#platform/random.ts';
import type { RateChange } from './partnerships.entity.ts';
import type { HappeningKind } from './partnerships.schemas.ts';

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
  sql: Sql,
  { clock, random }: { clock: Clock; random: Random },
  { developerId, partnershipId, kind, actorId, rate, at = clock.now() }: Happening,
): Promise<void> {
  await sql.query(
    `insert into partnership_events (developer_id, id, partnership_id, kind, actor_id, rate, happened_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [developerId, random.id(), partnershipId, kind, actorId, rate ? JSON.stringify(rate) : null, at],
  );
}
