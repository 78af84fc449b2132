import { accountName } from '#features/accounts';
import { recordWebhook } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, violatedConstraint } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import { nameKey } from '#platform/text/name-key.ts';
import { recordEvent } from './history.ts';
import { type Locked, lockPartnership, mergeNamed, type StockMoves } from './merge.ts';

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
  /** What the rate was before. */
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
export async function connect(sql: Sql, deps: Dependencies, partners: Partners): Promise<string> {
  const { claim } = partners;
  try {
    const connected = await (claim ? takeOver(sql, deps, { ...partners, claim }) : join(sql, deps, partners));
    if ('already' in connected) return connected.already;
    await recordConnection(sql, deps, partners, connected);
    return connected.id;
  } catch (error) {
    if (violatedConstraint(error) !== 'partnerships_pair_unique') throw error;
    throw new AppError('conflict', 'You already work together.');
  }
}

async function recordConnection(sql: Sql, deps: Dependencies, partners: Partners, { id, rateBefore }: Connected) {
  const { developerId, commissionBps, claim, invited, acceptedBy } = partners;
  const about = { developerId, partnershipId: id };
  await recordEvent(sql, deps, { ...about, kind: 'invited', actorId: invited.by, at: invited.at });
  const rate = { from: rateBefore, to: commissionBps };
  await recordEvent(sql, deps, { ...about, kind: claim ? 'claimed' : 'accepted', actorId: acceptedBy, rate });
  const data = { partnership_id: id, developer_id: developerId, reseller_id: partners.resellerId };
  for (const accountId of [developerId, partners.resellerId])
    await recordWebhook(sql, accountId, { type: 'partnership.accepted', at: deps.clock.now(), data });
}

async function join(sql: Sql, deps: Dependencies, partners: Partners): Promise<Connected | { already: string }> {
  const { developerId, resellerId, commissionBps } = partners;
  const now = deps.clock.now();
  const known = await findPair(sql, developerId, resellerId);
  if (known && known.status !== 'ended') return { already: known.id };
  if (known) {
    await sql.query(
      `update partnerships set status = 'active', ended_at = null, connected_at = $4, commission_bps = $3
       where id = $1 and developer_id = $2 and status = 'ended'`,
      [known.id, developerId, commissionBps, now],
    );
    return { id: known.id, rateBefore: known.commission_bps };
  }
  for (const name of await namesOf(sql, resellerId)) {
    const [made] = await sql.query<{ id: string }>(
      `insert into partnerships (id, developer_id, reseller_id, name, name_key, commission_bps, status, created_at, connected_at)
       values ($1, $2, $3, $4, $5, $6, 'active', $7, $7) on conflict do nothing returning id`,
      [deps.random.id(), developerId, resellerId, name, nameKey(name), commissionBps, now],
    );
    if (made) return { id: made.id, rateBefore: null };
    // the name is taken, or somebody else has just connected the two
    const pair = await findPair(sql, developerId, resellerId);
    if (pair) return { already: pair.id };
  }
  throw new AppError('conflict', 'This name is taken by another reseller.');
}

/** Waits for whoever claims the same one: exactly one of them gets it. */
async function takeOver(
  sql: Sql,
  deps: Dependencies,
  { claim, developerId, resellerId, commissionBps, acceptedBy }: Partners & { claim: string },
): Promise<Connected | { already: string }> {
  const named = await lockPartnership(sql, developerId, claim, true);
  const known = await findPair(sql, developerId, resellerId);
  if (known && known.status !== 'ended' && named?.status === 'named') {
    await mergeNamed(sql, deps, { developerId, from: named, into: known, actorId: acceptedBy });
    return { already: known.id };
  }
  if (known && named?.merged_into === known.id) return { already: known.id };
  const rows = await sql.query(
    `update partnerships set reseller_id = $3, commission_bps = $4, connected_at = $5, status = 'active'
     where id = $1 and developer_id = $2 and status = 'named' returning id`,
    [claim, developerId, resellerId, commissionBps, deps.clock.now()],
  );
  if (named && rows.length > 0) return { id: claim, rateBefore: named.commission_bps };
  throw new AppError('conflict', 'Another account has taken over this reseller. Ask for a new invitation.');
}

async function findPair(sql: Sql, developerId: string, resellerId: string): Promise<Locked | undefined> {
  const [pair] = await sql.query<Locked>(
    `select id, name, status, reseller_id, commission_bps, merged_into from partnerships
     where developer_id = $1 and reseller_id = $2 and status <> 'merged'
     order by status <> 'ended' desc, id desc limit 1 for no key update`,
    [developerId, resellerId],
  );
  return pair;
}

/**
 * What the developer's list may call the reseller, the first one that is free. Never with the email address: the name
 * outlives the account.
 */
async function namesOf(sql: Sql, resellerId: string): Promise<string[]> {
  const [account] = await sql.query<{ name: string }>(
    `select ${accountName('u')} as name from users u where u.id = $1`,
    [resellerId],
  );
  const { name = '' } = account ?? {};
  return [name, `${name} 2`, `${name} 3`, `${name} (${resellerId})`];
}
