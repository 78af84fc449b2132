import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '#exit.ts';
import type { Io } from '#io.ts';
import { writePrivately } from './state.ts';

export interface Profile {
  url: string;
  token: string;
  email?: string;
}

interface Stored {
  profiles: Record<string, Profile>;
  /** By server: a token that distinguishes this machine from strangers who guess passwords. It grants nothing. */
  devices: Record<string, string>;
}

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

/** By their names. */
export async function readProfiles(env: Io['env']): Promise<[name: string, profile: Profile][]> {
  const { profiles } = await read(env);
  return Object.entries(profiles).sort(([a], [b]) => a.localeCompare(b));
}

/** Stores a profile, or deletes it when null. Only its owner can read the file, which is never half written. */
export async function saveProfile(env: Io['env'], name: string, profile: Profile | null): Promise<string> {
  const stored = await read(env);
  if (profile) stored.profiles[name] = profile;
  else delete stored.profiles[name];
  return write(env, stored);
}

/** The device token from an earlier sign-in to this server; it stays after logging out. */
export async function readDevice(env: Io['env'], url: string): Promise<{ device_token?: string }> {
  const token = (await read(env)).devices[url];
  return token ? { device_token: token } : {};
}

export async function saveDevice(env: Io['env'], url: string, token: string): Promise<void> {
  const stored = await read(env);
  if (stored.devices[url] === token) return;
  stored.devices[url] = token;
  await write(env, stored);
}

async function write(env: Io['env'], stored: Stored): Promise<string> {
  const file = configFile(env);
  await writePrivately(file, `${JSON.stringify(stored, null, 2)}\n`);
  return file;
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
    return { profiles: Object.assign(profiles, stored.profiles), devices: Object.assign(devices, stored.devices) };
  } catch {
    throw new Failure(`${file} is not valid JSON. Repair or delete it, then sign in again.`);
  }
}
