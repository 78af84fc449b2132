import { sql } from 'kysely';
import type { Sql } from '../db/database.ts';
import { tables } from '../tables.ts';

/** Locks the probes: until the transaction ends, no other transaction locks or adds probes. */
export async function lockProbes(handle: Sql): Promise<void> {
  await sql`lock table secret_probes in share row exclusive mode`.execute(tables.in(handle));
}

const selectProbes = (handle: Sql) =>
  tables
    .in(handle)
    .selectFrom('secret_probes')
    .select(['fingerprint', 'sealed', 'created_at'])
    .$narrowType<{ sealed: Buffer }>()
    .orderBy('created_at');

export type Probe = Awaited<ReturnType<typeof readProbes>>[number];

/** The probe that each secret has sealed, oldest first. */
export function readProbes(handle: Sql) {
  return selectProbes(handle).execute();
}

/** The same, held until the transaction ends. */
export function holdProbes(handle: Sql): Promise<Probe[]> {
  return selectProbes(handle).forUpdate().execute();
}

/** Leaves the first probe of a secret. */
export async function addProbe(handle: Sql, probe: { fingerprint: string; sealed: Buffer; now: Date }): Promise<void> {
  const { fingerprint, sealed, now } = probe;
  await tables
    .in(handle)
    .insertInto('secret_probes')
    .values({ fingerprint, sealed, created_at: now })
    .onConflict((on) => on.doNothing())
    .execute();
}

export async function deleteProbes(handle: Sql, fingerprints: readonly string[]): Promise<void> {
  await tables.in(handle).deleteFrom('secret_probes').where('fingerprint', 'in', fingerprints).execute();
}

export async function deleteProbesBut(handle: Sql, fingerprint: string): Promise<void> {
  await tables.in(handle).deleteFrom('secret_probes').where('fingerprint', '<>', fingerprint).execute();
}
