import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAndLint } from '../../scripts/lib/checks.ts';

let folder: string;
const write = (file: string, text: string) => writeFile(path.join(folder, file), text);
const rules = (more: object) =>
  write('biome.json', JSON.stringify({ root: true, ...formatted, linter: { rules: { ...cycles, ...more } } }));
const formatted = { javascript: { formatter: { quoteStyle: 'single' } }, json: { formatter: { enabled: false } } };
const cycles = { suspicious: { noImportCycles: 'error' } };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-checks-'));
  await execa('git', ['init', '--quiet'], { cwd: folder });
  await write('.gitignore', '.cache/\n');
  await rules({});
  await write('a.ts', "import { b } from './b.ts';\n\nexport const a = () => b;\n");
  await write('b.ts', 'export const b = 1;\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('what formats and lints', () => {
  it('looks at nothing that has passed and is as it was', async () => {
    expect(await formatAndLint(folder)).toMatchObject({ passed: true, looked: 4 });
    expect(await formatAndLint(folder)).toMatchObject({ passed: true, looked: 0 });
  });

  it('looks at what has changed until it passes, and finds a cycle through files that have not', async () => {
    await write('b.ts', "import { a } from './a.ts';\n\nexport const b = () => a;\n");
    const cycle = { passed: false, looked: 1, output: expect.stringContaining('noImportCycles') };
    expect(await formatAndLint(folder)).toMatchObject(cycle);
    expect(await formatAndLint(folder)).toMatchObject(cycle);
    await write('b.ts', 'export const b = 2;\n');
    expect(await formatAndLint(folder)).toMatchObject({ passed: true, looked: 1 });
  });

  it('looks at a new file', async () => {
    await write('c.ts', 'export const c = "not our quotes"');
    expect(await formatAndLint(folder)).toMatchObject({ passed: false, looked: 1 });
    await rm(path.join(folder, 'c.ts'));
    expect(await formatAndLint(folder)).toMatchObject({ passed: true, looked: 0 });
  });

  it('looks at everything when the rules have changed', async () => {
    await rules({ style: { noRestrictedImports: { level: 'error', options: { paths: { './b.ts': 'None.' } } } } });
    const refused = { passed: false, looked: 4, output: expect.stringContaining('noRestrictedImports') };
    expect(await formatAndLint(folder)).toMatchObject(refused);
  });
});
