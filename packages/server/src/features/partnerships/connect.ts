import { sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { recordWebhook } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import { AppError, violatedConstraint } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import { nameKey } from '#platform/text/name-key.ts';
import { recordEvent } from './history.ts';
import { LOCKED, type Locked, lockPartnership, mergeNamed, type StockMoves } from './merge.ts';
import { noteSeller } from './reseller-developers.ts';
import type { PartnershipsHandle } from './tables.ts';

interface Partners {
  developerId: string;
  resellerId: string;
  commissionBps: number;
  /** The named reseller that the account takes over. */
  claim: string | null;
  invited: { by: string; at: Date };
  acceptedBy: string;
}

interface Connected {
  id: string;
  /** The previous rate. */
  rateBefore: number | null;
}

interface Dependencies {
  clock: Clock;
  random: Random;
  stock: StockMoves;
}

/**
 * Makes a developer and a reseller partners, in the caller's transaction: takes over the named reseller that is claimed,
 * takes up an ended partnership again, or makes a new one. Partners who work together already stay as they are, on the
 * terms that they have; the named reseller that is claimed then becomes part of their partnership.
 * @returns the partnership's id.
 * @throws {AppError} conflict when the named reseller has an account by now, or they work together under another name.
 */
export async function connect(tx: PartnershipsHandle, deps: Dependencies, partners: Partners): Promise<string> {
  const { claim } = partners;
  await noteSeller(tx, partners);
  try {
    const connected = await (claim ? takeOver(tx, deps, { ...partners, claim }) : join(tx, deps, partners));
    if ('already' in connected) return connected.already;
    await recordConnection(tx, deps, partners, connected);
    return connected.id;
  } catch (error) {
    if (violatedConstraint(error) !== 'partnerships_pair_unique') throw error;
    throw new AppError('conflict', 'You already work together.');
  }
}

async function recordConnection(
  tx: PartnershipsHandle,
  deps: Dependencies,
  partners: Partners,
  { id, rateBefore }: Connected,
) {
  const { developerId, commissionBps, claim, invited, acceptedBy } = partners;
  const about = { developerId, partnershipId: id };
  await recordEvent(tx, deps, { ...about, kind: 'invited', actorId: invited.by, at: invited.at });
  const rate = { from: rateBefore, to: commissionBps };
  await recordEvent(tx, deps, { ...about, kind: claim ? 'claimed' : 'accepted', actorId: acceptedBy, rate });
  const data = { partnership_id: id, developer_id: developerId, reseller_id: partners.resellerId };
  for (const accountId of [developerId, partners.resellerId])
    await recordWebhook(tx, accountId, { type: 'partnership.accepted', at: deps.clock.now(), data });
}

async function join(
  tx: PartnershipsHandle,
  deps: Dependencies,
  partners: Partners,
): Promise<Connected | { already: string }> {
  const { developerId, resellerId, commissionBps } = partners;
  const now = deps.clock.now();
  const known = await findPair(tx, developerId, resellerId);
  if (known && known.status !== 'ended') return { already: known.id };
  if (known) {
    await tx
      .updateTable('partnerships')
      .set({ status: 'active', ended_at: null, connected_at: now, commission_bps: commissionBps })
      .where('id', '=', known.id)
      .where('developer_id', '=', developerId)
      .where('status', '=', 'ended')
      .execute();
    return { id: known.id, rateBefore: known.commission_bps };
  }
  for (const name of await namesOf(tx, resellerId)) {
    const made = await tx
      .insertInto('partnerships')
      .values({
        id: deps.random.id(),
        developer_id: developerId,
        reseller_id: resellerId,
        name,
        name_key: nameKey(name),
        commission_bps: commissionBps,
        status: 'active',
        created_at: now,
        connected_at: now,
      })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) return { id: made.id, rateBefore: null };
    // the name is taken, or somebody else has just connected the two
    const pair = await findPair(tx, developerId, resellerId);
    if (pair) return { already: pair.id };
  }
  throw new AppError('conflict', 'This name is taken by another reseller.');
}

/** Waits for another account that claims the same named reseller: exactly one of them gets it. */
async function takeOver(
  tx: PartnershipsHandle,
  deps: Dependencies,
  { claim, developerId, resellerId, commissionBps, acceptedBy }: Partners & { claim: string },
): Promise<Connected | { already: string }> {
  const named = await lockPartnership(tx, developerId, claim, true);
  const known = await findPair(tx, developerId, resellerId);
  if (known && known.status !== 'ended' && named?.status === 'named') {
    await mergeNamed(tx, deps, { developerId, from: named, into: known, actorId: acceptedBy });
    return { already: known.id };
  }
  if (known && named?.merged_into === known.id) return { already: known.id };
  const taken = await tx
    .updateTable('partnerships')
    .set({ reseller_id: resellerId, commission_bps: commissionBps, connected_at: deps.clock.now(), status: 'active' })
    .where('id', '=', claim)
    .where('developer_id', '=', developerId)
    .where('status', '=', 'named')
    .returning('id')
    .executeTakeFirst();
  if (named && taken) return { id: claim, rateBefore: named.commission_bps };
  throw new AppError('conflict', 'Another account has taken over this reseller. Ask for a new invitation.');
}

function findPair(tx: PartnershipsHandle, developerId: string, resellerId: string): Promise<Locked | undefined> {
  return tx
    .selectFrom('partnerships')
    .select(LOCKED)
    .where('developer_id', '=', developerId)
    .where('reseller_id', '=', resellerId)
    .where('status', '<>', 'merged')
    .orderBy(sql`status <> 'ended'`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Names for the reseller in the developer's list; the first free one is taken. They never contain the email address,
 * because the name outlives the account.
 */
async function namesOf(tx: PartnershipsHandle, resellerId: string): Promise<string[]> {
  const { name } = await tx
    .selectFrom('users as u')
    .select(nameOf('u').as('name'))
    .where('u.id', '=', resellerId)
    .executeTakeFirstOrThrow();
  return [name, `${name} 2`, `${name} 3`, `${name} (${resellerId})`];
}
