import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Io } from '#io.ts';
import { stateDir, writePrivately } from './state.ts';

/** A sign-in whose code was printed, and not confirmed yet. */
export interface PendingSignIn {
  url: string;
  device_code: string;
  /** Seconds between two questions. */
  interval: number;
  /** Milliseconds since 1970. */
  expires: number;
}

const fileOf = (env: Io['env'], profile: string): string =>
  path.join(stateDir(env), 'sign-ins', `${encodeURIComponent(profile)}.json`);

/** Keeps it for `login --complete`, readable by the person only: the device code is worth a session once it is confirmed. */
export function savePendingSignIn(env: Io['env'], profile: string, pending: PendingSignIn): Promise<void> {
  return writePrivately(fileOf(env, profile), `${JSON.stringify(pending)}\n`);
}

export async function readPendingSignIn(env: Io['env'], profile: string): Promise<PendingSignIn | undefined> {
  const text = await readFile(fileOf(env, profile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const { url, device_code, interval, expires } = JSON.parse(text) as PendingSignIn;
    return typeof device_code === 'string' && typeof url === 'string'
      ? { url, device_code, interval: Number(interval) || 5, expires: Number(expires) || 0 }
      : undefined;
  } catch {
    // whatever it was, it starts anew
    return undefined;
  }
}

export const forgetPendingSignIn = (env: Io['env'], profile: string): Promise<void> =>
  rm(fileOf(env, profile), { force: true });
