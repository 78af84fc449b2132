import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tool } from '../support/command.ts';

/** Plants a file with one import and answers what the linter says of it. */
async function lint(folder: string, suffix: string, source: string): Promise<{ code: number | null; output: string }> {
  const file = path.join(folder, `planted-${randomBytes(4).toString('hex')}${suffix}`);
  await writeFile(file, `${source}\n`);
  try {
    return await tool('node_modules/@biomejs/biome/bin/biome', 'lint', file);
  } finally {
    await rm(file, { force: true });
  }
}

const use = (from: string) => `import * as planted from '${from}';\nexport const used = planted;`;
const server = 'packages/server/src';

describe('the linter refuses', () => {
  it.each([
    ['the SDK that imports the server', 'packages/sdk/src', '.ts', use('../../server/src/config.ts')],
    ['the SDK that imports a package of ours', 'packages/sdk/src', '.ts', use('@tonerow/cli')],
    ['the server that imports the SDK', server, '.ts', use('@tonerow/sdk')],
    ['the platform that imports a feature', `${server}/platform`, '.ts', use('../features/products/index.ts')],
    ['the platform that imports the config', `${server}/platform`, '.ts', use('../config.ts')],
    ['a feature that reaches into another', `${server}/features/serials`, '.ts', use('../products/products.entity.ts')],
    [
      'a service that reaches into another feature',
      `${server}/features/serials`,
      '.service.ts',
      use('../products/products.entity.ts'),
    ],
    ['a feature that imports the composition root', `${server}/features/serials`, '.ts', use('../../deps.ts')],
    ['a service that imports fastify', `${server}/features/serials`, '.service.ts', use('fastify')],
    ['a schema that imports its service', `${server}/features/serials`, '.schemas.ts', use('./serials.service.ts')],
    ['the environment read outside the config', `${server}/platform`, '.ts', 'export const home = process.env.HOME;'],
    ['the terminal client that imports the server', 'packages/cli/src', '.ts', use('../../server/src/config.ts')],
    ['the terminal client that imports the dashboard', 'packages/cli/src', '.ts', use('@tonerow/web')],
    ['Ink outside ui/', 'packages/cli/src', '.ts', use('ink')],
    ['the dashboard that imports the server', 'packages/web/src/features/keys', '.ts', use('@tonerow/server')],
    [
      'a feature of the dashboard that imports another',
      'packages/web/src/features/keys',
      '.ts',
      use('../products/product-schema.ts'),
    ],
    ['a primitive that holds data', 'packages/web/src/ui', '.ts', use('../lib/api.ts')],
    ['fetch outside lib/', 'packages/web/src/features/keys', '.ts', "export const load = () => fetch('/api');"],
  ])('%s', async (_name, folder, suffix, source) => {
    const { code, output } = await lint(folder, suffix, source);
    expect(code, output).not.toBe(0);
    expect(output).toMatch(/noRestrictedImports|noProcessEnv|noRestrictedGlobals/);
  });
});

describe('the linter allows', () => {
  it.each([
    ['a feature that uses another’s face', `${server}/features/serials`, '.service.ts', use('../products/index.ts')],
    ['a feature that uses the platform', `${server}/features/serials`, '.ts', use('../../platform/errors.ts')],
    ['a feature that uses its own files', `${server}/features/serials`, '.ts', use('./codes.ts')],
    ['the terminal client that uses the SDK', 'packages/cli/src', '.ts', use('@tonerow/sdk')],
    ['Ink under ui/', 'packages/cli/src/ui', '.ts', use('ink')],
    [
      'a feature of the dashboard that uses primitives',
      'packages/web/src/features/keys',
      '.ts',
      use('../../ui/button.tsx'),
    ],
  ])('%s', async (_name, folder, suffix, source) => {
    const { code, output } = await lint(folder, suffix, source);
    expect(code, output).toBe(0);
  });
});
