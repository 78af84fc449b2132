import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { VERSION as client } from '../../packages/cli/src/version.ts';
import { SDK_VERSION as sdk } from '../../packages/sdk/src/index.ts';
import { VERSION as server } from '../../packages/server/src/platform/version.ts';
import { VERSIONED } from '../../scripts/release/versions.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

it('is one version everywhere: clients compare theirs with the server’s', () => {
  const packages = ['.', 'packages/cli', 'packages/sdk', 'packages/server', 'packages/web'];
  const versions = packages.map((folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version);
  expect(new Set([...versions, client, sdk, server]).size).toBe(1);
});

it('is written by a release in every file that has it', async () => {
  const escaped = version.replaceAll('.', '\\.');
  const named = `(VERSION = '|"version": "|"@tonerow/[a-z-]+": "|[vV]ersion: )${escaped}`;
  const { stdout } = await execa('git', ['grep', '--files-with-matches', '--extended-regexp', named]);
  const found = stdout.split('\n').filter((file) => !file.startsWith('test/releases/'));
  // a package of somebody else may have the same version, in the lock file alone
  expect(found.sort()).toEqual(VERSIONED.toSorted());
});
