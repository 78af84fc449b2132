import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand, wordsOf } from '@tonerow/test-support/cli.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '#commands/index.ts';

let server: Server;
let url: string;
let home: string;
let answer: { status: number; code: string };
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-failures-'));
  await writeFile(path.join(home, 'given'), 'tnr_plg_x\n');
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      // a wait that nobody sits through, so that nothing is tried again
      response.writeHead(answer.status, { 'content-type': 'application/problem+json', 'retry-after': '900' });
      response.end(JSON.stringify({ status: answer.status, code: answer.code, message: 'Refused.' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(home, { recursive: true, force: true });
});

/** The exit code of each kind of failure, for every command that calls the server. */
const FAILURES: [status: number, code: string, exit: number][] = [
  [401, 'invalid_token', 4],
  [403, 'insufficient_scope', 4],
  [403, 'forbidden', 1],
  [403, 'quota_reached', 5],
  [404, 'not_found', 1],
  [409, 'conflict', 1],
  [422, 'idempotency_key_reused', 1],
  [429, 'rate_limited', 5],
  [500, 'internal', 1],
  [503, 'unavailable', 1],
];

/** It refuses an access token before it calls anybody. */
const OTHERWISE = new Set(['logout']);
/** Options for what a command would ask for on a terminal. */
const MORE: Record<string, (home: string) => string[]> = {
  register: () => ['--password-stdin'],
  login: () => ['--email', 'ada@example.com', '--password-stdin'],
  'account reset-password': () => ['--password-stdin'],
  'export everything': () => ['--password-stdin'],
  'account enable-two-factor': (home) => ['--password-file', path.join(home, 'given')],
};

/** Settings of commands that sign in otherwise than by an access token. */
const SETTINGS: Record<string, Record<string, string>> = {
  'trust token': { TONEROW_TOKEN: '', TONEROW_TRUST: '01900000-0000-7000-8000-000000000001', TONEROW_ID_TOKEN: 'x' },
};

/** The first example of a command, with files that are there to read and not there to write. */
function lineOf(example: string): string[] {
  const words = wordsOf(example);
  return words.map((word, at) => {
    if (!/^[\w.-]+\.(csv|dmg|png|jpg|json|txt|zip|pdf|html|license|ndjson|xml|xlsx)$/.test(word)) return word;
    return path.join(home, /^--(out|report)$/.test(words[at - 1] ?? '') ? 'written' : 'given');
  });
}

it.each(FAILURES)(
  'of status %i (%s), every command exits with %i',
  async (status, code, exit) => {
    answer = { status, code };
    const wrong: string[] = [];
    for (const command of commands) {
      if (OTHERWISE.has(command.path) || command.operations.length === 0) continue;
      const env = {
        XDG_CONFIG_HOME: home,
        XDG_STATE_HOME: path.join(home, crypto.randomUUID()),
        HOME: home,
        TONEROW_URL: url,
        TONEROW_TOKEN: 'tnr_pat_x',
        TONEROW_PLUGIN_KEY: 'tnr_plg_x',
        TONEROW_DOWNLOAD_TOKEN: 'x',
        TONEROW_PASSWORD: 'a long password of words',
        TONEROW_PROMPT_DISABLED: '1',
        ...SETTINGS[command.path],
      };
      const words = [...lineOf(command.examples[0] as string), '--no-input'];
      if ('yes' in command.options) words.push('--yes');
      words.push(...(MORE[command.path]?.(home) ?? []));
      const ended = await runCommand(words, {
        env,
        stdin: 'tnr_pat_x\na long password of words\n',
        signal: AbortSignal.timeout(5000),
      });
      if (ended.code !== exit) wrong.push(`${words.join(' ')} → ${ended.code}: ${ended.err.split('\n')[0]}`);
    }
    expect(wrong).toEqual([]);
  },
  120_000,
);
