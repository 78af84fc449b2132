import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '#exit.ts';
import type { Io } from '#io.ts';
import { unwritable } from '#output/files/unwritable.ts';
import { alone, writePrivately } from './state.ts';

export interface Profile {
  url: string;
  token: string;
  email?: string;
}

interface Stored {
  profiles: Record<string, Profile>;
  /** The one in use where none is named; undefined: `default`. */
  current?: string;
  /** For each server, a token that distinguishes this machine from strangers who guess passwords. It grants nothing. */
  devices: Record<string, string>;
}

const DEFAULT = 'default';

export function configFile(env: Io['env']): string {
  const base = env.XDG_CONFIG_HOME || path.join(env.HOME || os.homedir(), '.config');
  return path.join(base, 'tonerow', 'config.json');
}

export async function readProfile(env: Io['env'], name: string): Promise<Profile | undefined> {
  return (await read(env)).profiles[name];
}

export async function profileNames(env: Io['env']): Promise<string[]> {
  return Object.keys((await read(env)).profiles);
}

/** The profiles, sorted by name. */
export async function readProfiles(env: Io['env']): Promise<[name: string, profile: Profile][]> {
  const { profiles } = await read(env);
  return Object.entries(profiles).sort(([a], [b]) => a.localeCompare(b));
}

/** The name of the profile in use where none is named. Without a file that can be read it is `default`. */
export async function currentProfile(env: Io['env']): Promise<string> {
  const stored = await read(env).catch(() => undefined);
  return stored?.current ?? DEFAULT;
}

/** Uses this profile from now on if a command names none. @throws {Failure} when there is none of that name. */
export async function setCurrentProfile(env: Io['env'], name: string): Promise<void> {
  await change(env, (stored) => {
    if (!stored.profiles[name]) {
      const names = Object.keys(stored.profiles).sort().join(', ');
      throw new Failure(
        `There is no profile "${name}". ${names ? `There are: ${names}.` : 'There is none yet.'}`,
        'not_found',
      );
    }
    if (name === DEFAULT) delete stored.current;
    else stored.current = name;
  });
}

/** Stores a profile, or deletes it when null. Only its owner can read the file, which is never half written. */
export function saveProfile(env: Io['env'], name: string, profile: Profile | null): Promise<string> {
  return change(env, (stored) => {
    if (profile) stored.profiles[name] = profile;
    else {
      delete stored.profiles[name];
      if (stored.current === name) delete stored.current;
    }
  });
}

/** The device token from an earlier sign-in to this server; it stays after logging out. */
export async function readDevice(env: Io['env'], url: string): Promise<{ device_token?: string }> {
  const token = (await read(env)).devices[url];
  return token ? { device_token: token } : {};
}

export async function saveDevice(env: Io['env'], url: string, token: string): Promise<void> {
  if ((await read(env)).devices[url] === token) return;
  await change(env, ({ devices }) => {
    devices[url] = token;
  });
}

/**
 * Before a credential is requested that would have to be stored.
 * @throws {Failure} when it could not be.
 */
export async function mustBeStorable(env: Io['env']): Promise<void> {
  await whileAlone(env, () => read(env));
}

async function change(env: Io['env'], make: (stored: Stored) => void): Promise<string> {
  return whileAlone(env, async (file) => {
    const stored = await read(env);
    make(stored);
    await writePrivately(file, `${JSON.stringify(stored, null, 2)}\n`);
    return file;
  });
}

const INSTEAD = 'Name another folder in XDG_CONFIG_HOME, or set TONEROW_TOKEN instead.';

/** @throws {Failure} when the file cannot be written, with what else would do. */
async function whileAlone<Result>(env: Io['env'], work: (file: string) => Promise<Result>): Promise<Result> {
  const file = configFile(env);
  return alone(file, () => work(file)).catch((error) => {
    const reason = unwritable(file, error);
    throw reason === error ? error : new Failure(`${(reason as Failure).message}\n${INSTEAD}`);
  });
}

async function read(env: Io['env']): Promise<Stored> {
  const file = configFile(env);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  // without a prototype, or a profile could not be called "__proto__" and one called "constructor" would always be there
  const profiles: Stored['profiles'] = Object.create(null);
  const devices: Stored['devices'] = Object.create(null);
  if (text === '') return { profiles, devices };
  try {
    const stored = JSON.parse(text) as Partial<Stored>;
    return {
      profiles: Object.assign(profiles, stored.profiles),
      devices: Object.assign(devices, stored.devices),
      ...(typeof stored.current === 'string' ? { current: stored.current } : {}),
    };
  } catch {
    throw new Failure(`${file} is not valid JSON. Repair or delete it, then sign in again.`);
  }
}
