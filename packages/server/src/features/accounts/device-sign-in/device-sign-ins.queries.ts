import type { Insertable } from 'kysely';
import type { Tables } from '#platform/db/tables.ts';
import type { Device } from '#platform/network/device.ts';
import { SHOWN } from '../sign-in/account-view.ts';
import type { AccountsHandle } from '../tables.ts';

/** How many wait for an answer. */
export async function countPending(db: AccountsHandle, now: Date): Promise<number> {
  const { pending } = await db
    .selectFrom('device_sign_ins')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return pending;
}

/** Locked until the transaction ends, so that simultaneous polls are counted one after the other. */
export function lockByDeviceCode(tx: AccountsHandle, hash: Buffer) {
  return tx
    .selectFrom('device_sign_ins')
    .select(['id', 'state', 'session_id', 'machine', 'interval_seconds', 'polled_at', 'expires_at'])
    .where('device_code_hash', '=', hash)
    .forUpdate()
    .executeTakeFirst();
}

/** One that waits, or that this session has answered. */
export function findShown(db: AccountsHandle, hash: Buffer, sessionId: string, now: Date) {
  return db
    .selectFrom('device_sign_ins')
    .select(['machine', 'user_agent', 'ip', 'country', 'state', 'created_at', 'expires_at'])
    .where('user_code_hash', '=', hash)
    .where('expires_at', '>', now)
    .where((eb) => eb.or([eb('state', '=', 'pending'), eb('session_id', '=', sessionId)]))
    .executeTakeFirst();
}

/** One statement decides among simultaneous answers. */
export function answer(
  tx: AccountsHandle,
  hash: Buffer,
  { answer: state, sessionId }: { answer: 'approved' | 'denied'; sessionId: string },
  now: Date,
) {
  return tx
    .updateTable('device_sign_ins')
    .set({ state, session_id: sessionId })
    .where('user_code_hash', '=', hash)
    .where('expires_at', '>', now)
    .where((eb) =>
      eb.or([eb('state', '=', 'pending'), eb.and([eb('state', '=', state), eb('session_id', '=', sessionId)])]),
    )
    .returning('id')
    .executeTakeFirst();
}

export const addSignIn = (db: AccountsHandle, signIn: Insertable<Tables['device_sign_ins']>) =>
  db.insertInto('device_sign_ins').values(signIn).execute();

export const notePoll = (tx: AccountsHandle, id: string, now: Date, interval: number) =>
  tx.updateTable('device_sign_ins').set({ polled_at: now, interval_seconds: interval }).where('id', '=', id).execute();

/** Works once. */
export const takeApproved = (tx: AccountsHandle, id: string) =>
  tx
    .deleteFrom('device_sign_ins')
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .returning('machine')
    .executeTakeFirst();

export const accountOf = (tx: AccountsHandle, id: string) =>
  tx.selectFrom('users').select(SHOWN).where('id', '=', id).executeTakeFirstOrThrow();

/** Whether this machine is, from the same address; one without a name is none that we know. */
export async function isSignedIn(
  tx: AccountsHandle,
  accountId: string,
  { machine, ip }: { machine: string | null; ip: Device['ip'] },
): Promise<boolean> {
  if (machine === null) return false;
  const known = await tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', accountId)
    .where('machine', '=', machine)
    .where('ip', '=', ip)
    .limit(1)
    .executeTakeFirst();
  return known !== undefined;
}

/** Whose session approved it, if it has not ended. */
export function approverOf(db: AccountsHandle, sessionId: string) {
  return db.selectFrom('sessions').select(['id', 'user_id']).where('id', '=', sessionId).executeTakeFirst();
}

export async function deleteExpired(db: AccountsHandle, before: Date): Promise<void> {
  await db.deleteFrom('device_sign_ins').where('expires_at', '<=', before).execute();
}
