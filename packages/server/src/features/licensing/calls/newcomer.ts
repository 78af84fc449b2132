import type { Clock } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { spellingsOf } from '../rules/machine-ids.ts';
import type { Newcomer } from '../seats/take.ts';
import type { License } from './find-license.ts';

/** A machine that asks for a seat, as it describes itself. */
export interface MachineForm {
  machine_id: string;
  version: string | null;
  label?: string | null;
  os?: string | null;
  old_machine_ids?: readonly string[] | undefined;
  /** Set for a license file, which leases the seat: the existing lease is kept until then. */
  keepsLease?: boolean;
}

/** @param token that it is issued. */
export function newcomerOf(
  license: License,
  form: MachineForm,
  token: string,
  { random, clock }: { random: Random; clock: Clock },
): Newcomer & { oldMachineIds: readonly string[] } {
  return {
    id: random.id(),
    developerId: license.developer_id,
    serialId: license.serial_id,
    machineId: license.machine_id,
    version: form.version,
    label: form.label ?? null,
    os: form.os ?? null,
    tokenHash: sha256(token),
    oldMachineIds: othersOf(license, form),
    keepsLease: form.keepsLease ?? false,
    now: clock.now(),
  };
}

/** Other ids of the same machine, in all their spellings and without its current one. */
export function othersOf(
  license: License,
  { machine_id, old_machine_ids = [] }: Pick<MachineForm, 'machine_id' | 'old_machine_ids'>,
): string[] {
  if (old_machine_ids.length === 0) return [];
  // should the same machine have taken a seat for each spelling, one is enough
  const all = new Set([...old_machine_ids, machine_id].flatMap(spellingsOf));
  all.delete(license.machine_id);
  return [...all];
}
