import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION as client } from '../../packages/cli/src/version.ts';
import { VERSION as server } from '../../packages/server/src/platform/version.ts';

it('is one version everywhere: clients compare theirs with the server’s', () => {
  const packages = ['.', 'packages/cli', 'packages/sdk', 'packages/server', 'packages/web'];
  const versions = packages.map((folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version);
  expect(new Set([...versions, client, server]).size).toBe(1);
});
