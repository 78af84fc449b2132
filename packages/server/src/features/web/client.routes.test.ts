import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call } from '@tonerow/test-support/http.ts';
import { sharedServer } from '@tonerow/test-support/server.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VERSION } from '#platform/version.ts';
import { clientArchive } from './client-archive.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-client-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('serves the terminal client of its own version, which runs as it is unpacked', async () => {
  const server = await sharedServer();
  const answer = await fetch(`${server.url}/cli/tonerow.tgz`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
  const file = path.join(folder, 'tonerow.tgz');
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  await execa('tar', ['-xzf', file, '-C', folder]);
  const { version, bin } = JSON.parse(await readFile(path.join(folder, 'package/package.json'), 'utf8'));
  expect(version).toBe(VERSION);
  const { stdout } = await execa(path.join(folder, 'package', bin.tonerow), ['--version']);
  expect(stdout).toBe(VERSION);
  const etag = answer.headers.get('etag') as string;
  expect((await call(server, 'GET', '/cli/tonerow.tgz', { headers: { 'if-none-match': etag } })).status).toBe(304);
});

it('has what is built and nothing beside it, and the same files make the same archive', async () => {
  const root = path.join(folder, 'client');
  for (const name of [
    'bin/tonerow.cjs',
    'dist/cli.cjs',
    'dist/build/jq.wasm',
    'dist/.built',
    'src/secret.ts',
    '.env',
  ]) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), name);
  }
  await writeFile(path.join(root, 'package.json'), '{}');
  const archive = await clientArchive(root);
  const file = path.join(folder, 'client.tgz');
  await writeFile(file, archive?.bytes as Buffer);
  const { stdout } = await execa('tar', ['-tzf', file]);
  expect(stdout.split('\n')).toEqual([
    'package/package.json',
    'package/bin/tonerow.cjs',
    'package/dist/build/jq.wasm',
    'package/dist/cli.cjs',
  ]);
  expect((await clientArchive(root))?.etag).toBe(archive?.etag);
});

it('is null where the client is not built', async () => {
  expect(await clientArchive(path.join(folder, 'nothing'))).toBeNull();
});
