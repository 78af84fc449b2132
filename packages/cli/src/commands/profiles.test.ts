import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { saveProfile } from '#config/store.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-profiles-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const env = () => ({ XDG_CONFIG_HOME: home, HOME: home });
const run = (line: string[], more: Record<string, string> = {}) => runCommand(line, { env: { ...env(), ...more } });
const inUse = async (more: Record<string, string> = {}) => {
  const rows = JSON.parse((await run(['profiles', '--json'], more)).out) as { name: string; in_use: boolean }[];
  return rows.filter(({ in_use }) => in_use).map(({ name }) => name);
};

it('stay in use once one is chosen, until another is named, chosen or signed out', async () => {
  const profile = { url: 'http://127.0.0.1:9', token: 'x' };
  for (const name of ['default', 'work']) await saveProfile(env(), name, profile);
  expect(await inUse()).toEqual(['default']);
  expect((await run(['profiles', '--use', 'work'])).code).toBe(0);
  expect(await inUse()).toEqual(['work']);
  expect(await inUse({ TONEROW_PROFILE: 'default' })).toEqual(['default']);
  const refused = await run(['profiles', '--use', 'nope']);
  expect([refused.code, refused.err]).toEqual([1, 'There is no profile "nope". There are: default, work.\n']);
  expect(await inUse()).toEqual(['work']);
  await saveProfile(env(), 'work', null);
  expect(await inUse()).toEqual(['default']);
});
