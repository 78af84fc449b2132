import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/db/database.ts';
import { AppError, violatedConstraint } from '../../platform/errors.ts';
import { nameKey } from '../../platform/name-key.ts';
import type { Random } from '../../platform/random.ts';
import { accountName } from '../accounts/index.ts';
import type { PartnershipStatus } from './partnerships.entity.ts';

interface Partners {
  developerId: string;
  resellerId: string;
  commissionBps: number;
  /** The named reseller that the account takes over. */
  claim: string | null;
}

interface Dependencies {
  clock: Clock;
  random: Random;
}

/**
 * Makes a developer and a reseller partners, in the caller's transaction: takes over the named reseller that is claimed,
 * takes up an ended partnership again, or makes a new one. Partners who work together already stay as they are.
 * @returns the partnership's id.
 * @throws {AppError} conflict when the named reseller has an account by now, or they work together under another name.
 */
export async function connect(sql: Sql, deps: Dependencies, partners: Partners): Promise<string> {
  try {
    return partners.claim ? await claim(sql, partners.claim, partners) : await join(sql, deps, partners);
  } catch (error) {
    if (violatedConstraint(error) !== 'partnerships_pair_unique') throw error;
    throw new AppError('conflict', 'You already work together.');
  }
}

async function join(sql: Sql, { clock, random }: Dependencies, partners: Partners): Promise<string> {
  const { developerId, resellerId, commissionBps } = partners;
  const known = await findPair(sql, developerId, resellerId);
  if (known?.status === 'active') return known.id;
  if (known) {
    await sql.query(
      `update partnerships set status = 'active', ended_at = null, commission_bps = $3
       where id = $1 and developer_id = $2 and status = 'ended'`,
      [known.id, developerId, commissionBps],
    );
    return known.id;
  }
  for (const name of await namesOf(sql, resellerId)) {
    const [made] = await sql.query<{ id: string }>(
      `insert into partnerships (id, developer_id, reseller_id, name, name_key, commission_bps, status, created_at)
       values ($1, $2, $3, $4, $5, $6, 'active', $7) on conflict do nothing returning id`,
      [random.id(), developerId, resellerId, name, nameKey(name), commissionBps, clock.now()],
    );
    // the name is taken, or somebody else has just connected the two
    const id = made?.id ?? (await findPair(sql, developerId, resellerId))?.id;
    if (id) return id;
  }
  throw new AppError('conflict', 'This name is taken by another reseller.');
}

/** Waits for whoever claims the same one: exactly one of them gets it. */
async function claim(sql: Sql, id: string, { developerId, resellerId, commissionBps }: Partners): Promise<string> {
  const rows = await sql.query(
    `update partnerships set reseller_id = $3, commission_bps = $4, status = 'active'
     where id = $1 and developer_id = $2 and status = 'named' returning id`,
    [id, developerId, resellerId, commissionBps],
  );
  if (rows.length > 0) return id;
  throw new AppError('conflict', 'Another account has taken over this reseller. Ask for a new invitation.');
}

async function findPair(sql: Sql, developerId: string, resellerId: string) {
  const [pair] = await sql.query<{ id: string; status: PartnershipStatus }>(
    `select id, status from partnerships where developer_id = $1 and reseller_id = $2
     order by status = 'active' desc, id desc limit 1 for update`,
    [developerId, resellerId],
  );
  return pair;
}

/** What the developer's list may call the reseller, the first one that is free. */
async function namesOf(sql: Sql, resellerId: string): Promise<string[]> {
  const [account] = await sql.query<{ name: string; email: string }>(
    `select ${accountName('u')} as name, u.email from users u where u.id = $1`,
    [resellerId],
  );
  const { name = '', email = '' } = account ?? {};
  return [name, `${name} (${email})`, `${name} (${resellerId})`];
}
