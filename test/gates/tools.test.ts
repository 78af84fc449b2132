import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tool } from '../support/command.ts';

const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const TSC = 'node_modules/typescript/bin/tsc';
const LONG = 180_000;

async function passes(script: string, ...args: string[]): Promise<void> {
  const { code, output } = await tool(script, ...args);
  expect(code, output.slice(-6000)).toBe(0);
}

describe('the tree', () => {
  it('is formatted and free of lint', () => passes(BIOME, 'ci', '--max-diagnostics=40', '.'), LONG);

  const projects = ['.', 'test/browser', ...readdirSync('packages').map((name) => `packages/${name}`)];
  it.each(projects.filter((folder) => existsSync(`${folder}/tsconfig.json`)))(
    'has sound types in %s',
    (folder) => passes(TSC, '-p', folder),
    LONG,
  );

  it('has no dead code', () => passes('node_modules/knip/bin/knip.js', '--no-progress'), LONG);

  it('has the contract that the server declares', () => passes('scripts/openapi.ts', '--check'), LONG);

  it('has the SDK that the contract makes', () => passes('packages/sdk/generate.ts', '--check'), LONG);
});
