import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
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

it('CMake needs neither libsodium nor OpenSSL: it fetches the Monocypher of one hash, and no other', async ({
  skip,
}) => {
  const cmake = (...words: string[]) => execa('cmake', words, { reject: false, all: true });
  if ((await cmake('--version')).failed) skip('cmake is not installed');
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-backend-'));
  try {
    // a stand-in: it is not compiled here
    const release = path.join(folder, 'monocypher-4');
    await mkdir(path.join(release, 'src/optional'), { recursive: true });
    for (const file of ['monocypher.c', 'optional/monocypher-ed25519.c'])
      await writeFile(path.join(release, 'src', file), 'int nothing;\n');
    const archive = path.join(folder, 'release.tar.gz');
    await execa('cmake', ['-E', 'tar', 'czf', archive, 'monocypher-4'], { cwd: folder });
    const hash = createHash('sha256').update(readFileSync(archive)).digest('hex');
    const configured = (name: string, ...options: string[]) => {
      const absent = ['PkgConfig', 'OpenSSL'].map((each) => `-DCMAKE_DISABLE_FIND_PACKAGE_${each}=ON`);
      const build = path.join(folder, name);
      return cmake('-S', SOURCE, '-B', build, ...absent, '-DTONEROW_BUILD_TESTS=OFF', ...options);
    };
    const url = pathToFileURL(archive).href;
    const fetched = (sha256: string) => [`-DTONEROW_MONOCYPHER_URL=${url}`, `-DTONEROW_MONOCYPHER_SHA256=${sha256}`];
    const [good, named, forged] = await Promise.all([
      configured('good', ...fetched(hash)),
      configured('named', `-DTONEROW_MONOCYPHER=${release}/src`),
      configured('forged', ...fetched('0'.repeat(64))),
    ]);
    expect([good.exitCode, good.all]).toEqual([
      0,
      expect.stringContaining(`by monocypher, which is fetched: ${url}\n`),
    ]);
    expect([named.exitCode, named.all]).toEqual([0, expect.stringContaining(`by monocypher, of ${release}/src\n`)]);
    expect([forged.exitCode, forged.all]).toEqual([1, expect.stringContaining(hash)]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 180_000);

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
