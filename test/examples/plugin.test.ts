import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { SOURCE, slice } from '../../scripts/plugin/builds.ts';
import { EXAMPLES } from './support.ts';

/** Files of a folder, without what is a license text or a page. */
const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(h|c|cpp|mm|cmake|js|mjs|sh)$|^CMakeLists\.txt$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));

it('the plugin’s core passes its tests', async ({ skip }) => {
  const { ok, output } = await slice.run();
  if (ok === null) {
    process.stderr.write(`skipped: the plugin’s core: ${output}\n`);
    skip(output);
  }
  expect(ok, output).toBe(true);
}, 600_000);

it.each([SOURCE, EXAMPLES])('every source in %s names its license, whose text is beside it', (folder) => {
  expect(readFileSync(path.join(folder, 'LICENSE'), 'utf8')).toContain('ISC License');
  const files = sourcesIn(folder);
  expect(files.length).toBeGreaterThan(5);
  const nameless = files.filter((file) => {
    const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n');
    return !/SPDX-License-Identifier: ISC/.test(first.startsWith('#!') ? second : first);
  });
  expect(nameless).toEqual([]);
});
