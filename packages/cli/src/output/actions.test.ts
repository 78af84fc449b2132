import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-actions-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const env = (name: string) => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_STEP_SUMMARY: path.join(home, name),
  HOME: home,
  XDG_CONFIG_HOME: home,
  TONEROW_URL: 'http://127.0.0.1:9',
});

it('a failure in a job of GitHub Actions is an annotation, and a line of the summary, without what was typed', async () => {
  const { code, err } = await runCommand(['serials', 'revoke', 'SECRET-CODE'], { env: env('failed.md') });
  expect(code).toBe(4);
  const [annotation] = err.split('\n').filter((line) => line.startsWith('::'));
  expect(annotation).toMatch(/^::error title=tonerow serials revoke::You are not signed in\. /);
  const summary = await readFile(path.join(home, 'failed.md'), 'utf8');
  expect(summary).toMatch(/^- ❌ `tonerow serials revoke` failed with exit code 4: You are not signed in\. .*\n$/);
  expect(annotation + summary).not.toContain('SECRET-CODE');
});

it('a wrong command line is annotated too, with its lines in one', async () => {
  const { code, err } = await runCommand(['products', 'create'], { env: env('usage.md') });
  expect(code).toBe(64);
  expect(err).toContain('::error title=tonerow products create::missing required argument');
});

it('with --json, stderr is the error as JSON and nothing else', async () => {
  const { err } = await runCommand(['products', 'list', '--json'], { env: env('json.md') });
  expect(JSON.parse(err)).toMatchObject({ code: 'not_signed_in' });
  expect(await readFile(path.join(home, 'json.md'), 'utf8')).toContain('`tonerow products list` failed');
});

it('nothing is annotated anywhere else, nor a summary written', async () => {
  const { GITHUB_ACTIONS: _, ...elsewhere } = env('none.md');
  const { err } = await runCommand(['products', 'list'], { env: elsewhere });
  expect(err).not.toContain('::error');
  await expect(readFile(path.join(home, 'none.md'))).rejects.toThrow('ENOENT');
});

it('a summary that cannot be written is reported, and does not change the exit code', async () => {
  const { code, err } = await runCommand(['products', 'list'], { env: { ...env('x'), GITHUB_STEP_SUMMARY: home } });
  expect([code, err]).toEqual([4, expect.stringContaining("The job's summary cannot be written (EISDIR).")]);
  const { err: json } = await runCommand(['products', 'list', '--json'], {
    env: { ...env('x'), GITHUB_STEP_SUMMARY: home },
  });
  const codes = json
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).code);
  expect(codes).toEqual(['not_signed_in', 'summary_unwritable']);
});
