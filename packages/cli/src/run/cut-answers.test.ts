import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { ID, type Kind, kinds, problem } from '@tonerow/test-support/command-kinds.ts';
import {
  bytesOf,
  type ReceivedCall,
  type Scene,
  startCutServer,
  type WireAnswer,
} from '@tonerow/test-support/cut-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// One command of each kind, with the network cut at each byte of the answer that it is about. All other commands are cut at three
// places, in interference.test.ts.

let home: string;
let server: Awaited<ReturnType<typeof startCutServer>>;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-cut-'));
  server = await startCutServer();
});
afterAll(async () => {
  server.close();
  await rm(home, { recursive: true, force: true });
});

interface Outcome {
  code: number;
  out: string;
  err: string;
  received: ReceivedCall[];
  /** New files in the folder, and what a run left in the state of the client. */
  left: string[];
  unanswered: string[];
}

let runs = 0;

/** Runs a line in a folder of its own. Nobody waits between tries. */
async function run(line: string[], scene: Scene, given: { signal?: AbortSignal } = {}): Promise<Outcome> {
  runs += 1;
  const folder = path.join(home, String(runs));
  const state = path.join(folder, '.state');
  await writeIn(folder, 'in.dmg', 'abc');
  const { url, received } = server.play(scene);
  const words = line.map((word) => (/^(in|out)\.\w+$/.test(word) ? path.join(folder, word) : word));
  const ended = await runCommand(words, {
    env: { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: state, TONEROW_URL: url, TONEROW_TOKEN: 'tnr_pat_x' },
    pause: async (_milliseconds, signal) => signal.throwIfAborted(),
    ...given,
  });
  const left = (await readdir(folder)).filter((name) => name !== 'in.dmg' && name !== '.state');
  const unanswered = await readdir(path.join(state, 'tonerow/unanswered')).catch(() => []);
  const clean = (text: string) => text.replaceAll(`${folder}/`, '').replaceAll(url, 'URL');
  return { ...ended, out: clean(ended.out), err: clean(ended.err), received, left, unanswered };
}

async function writeIn(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, name), text);
}

/** So many runs at a time. */
const ABREAST = 40;

async function forEachByte(kind: Kind, work: (after: number) => Promise<string[]>): Promise<string[]> {
  const places = Array.from(bytesOf(kind.answers[kind.call] as WireAnswer).keys());
  const wrong: string[] = [];
  for (let at = 0; at < places.length; at += ABREAST)
    wrong.push(...(await Promise.all(places.slice(at, at + ABREAST).map(work))).flat());
  return wrong;
}

const CUT =
  /^(The response from URL\/api\/\S+ was cut off( \(.+\))?\.|The connection to http:\/\/\S+ broke before its response arrived( \(E\w+\))?\.)$/;

/** Describes the faults of a run whose answer was cut. */
function flaws({ once, leaves = [] }: Kind, { code, out, err, left, unanswered }: Outcome): string[] {
  const lines = err.trimEnd().split('\n');
  const first = lines[0] ?? '';
  const keys = lines.filter((line) => line.startsWith('Idempotency key: ')).length;
  return [
    ...(code === 1 ? [] : [`exits with ${code}`]),
    ...(out === '' ? [] : [`prints ${JSON.stringify(out)}`]),
    ...(CUT.test(first) ? [] : [`says ${JSON.stringify(err)}`]),
    ...(keys === (once ? 1 : 0) && lines.length === (once ? 3 : 1) ? [] : [`says ${JSON.stringify(err)}`]),
    ...(left.join() === leaves.join() ? [] : [`leaves ${left}`]),
    ...(unanswered.length === (once ? 1 : 0) ? [] : [`keeps ${unanswered}`]),
  ];
}

describe.each(Object.entries(kinds))('%s whose answer is cut at any of its bytes', (_name, kind) => {
  it('is reported as a failure, prints nothing and leaves nothing half written', async () => {
    const wrong = await forEachByte(kind, async (after) => {
      const ended = await run(kind.line, { answers: kind.answers, cut: { call: kind.call, after, times: 99 } });
      return flaws(kind, ended).map((flaw) => `after ${after} bytes ${flaw}`);
    });
    expect(wrong).toEqual([]);
  }, 120_000);

  it('is a failure too where the connection is reset', async () => {
    const { length } = bytesOf(kind.answers[kind.call] as WireAnswer);
    for (const after of [0, Math.floor(length / 2), length - 1]) {
      const cut = { call: kind.call, after, times: 99, reset: true };
      expect(flaws(kind, await run(kind.line, { answers: kind.answers, cut })), `after ${after} bytes`).toEqual([]);
    }
  });
});

describe('a network that comes back', () => {
  const whole = async ({ line, answers }: Kind) => run(line, { answers });
  const once = ['a read', 'a list', 'a change', 'a delete', 'an upload'] as const;

  it.each(once)('is not noticed by %s', async (name) => {
    const kind = kinds[name] as Kind;
    const expected = await whole(kind);
    expect(expected.code).toBe(0);
    const { length } = bytesOf(kind.answers[kind.call] as WireAnswer);
    for (const after of [0, Math.floor(length / 2), length - 1]) {
      const ended = await run(kind.line, { answers: kind.answers, cut: { call: kind.call, after, times: 1 } });
      expect([ended.code, ended.out, ended.err, ended.left], `after ${after} bytes`).toEqual([
        0,
        expected.out,
        expected.err,
        expected.left,
      ]);
    }
  });

  it('makes a create no second one, whichever byte was the last', async () => {
    const kind = kinds['a create'] as Kind;
    const expected = await whole(kind);
    const wrong = await forEachByte(kind, async (after) => {
      const ended = await run(kind.line, { answers: kind.answers, cut: { call: kind.call, after, times: 1 } });
      const same = ended.code === 0 && ended.out === expected.out && ended.err === expected.err;
      const keys = new Set(ended.received.map(({ key }) => key));
      const well = same && ended.received.length === 2 && keys.size === 1 && ended.unanswered.length === 0;
      return well ? [] : [`after ${after} bytes: ${JSON.stringify(ended)}`];
    });
    expect(wrong).toEqual([]);
  }, 120_000);

  it('goes on with an upload that ended, but not with another file of its name', async () => {
    const kind = kinds['an upload'] as Kind;
    const folder = path.join(home, 'resumed');
    await writeIn(folder, 'in.dmg', 'abc');
    const upload = async (scene: Scene) => {
      const { url, received } = server.play(scene);
      const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: folder, TONEROW_URL: url, TONEROW_TOKEN: 'x' };
      const pause = async () => undefined;
      const ended = await runCommand(['files', 'upload', path.join(folder, 'in.dmg')], { env, pause });
      return { ...ended, calls: received.map(({ call }) => call) };
    };
    const broken = { answers: kind.answers, cut: { call: kind.call, after: 20, times: 99 } };
    expect((await upload(broken)).code).toBe(1);
    const resumed = await upload({ answers: kind.answers });
    expect([resumed.code, resumed.calls.includes('POST /api/files')], resumed.err).toEqual([0, false]);
    expect(resumed.err).toContain('Resuming the interrupted upload.');

    await upload(broken);
    await writeIn(folder, 'in.dmg', 'xyz');
    const other = await upload({ answers: kind.answers });
    expect([other.code, other.calls[0], other.err.includes('Resuming')]).toEqual([0, 'POST /api/files', false]);

    await upload(broken);
    const gone = { ...kind.answers, [`GET /api/files/${ID}`]: problem(404, 'not_found') };
    const anew = await upload({ answers: gone });
    expect([anew.code, anew.calls.includes('POST /api/files')], anew.err).toEqual([0, true]);
    expect(await readdir(folder)).toEqual(['in.dmg']);
  });
});

describe('a live stream that is cut at any of its bytes', () => {
  const event = (serial: string) => `event: redemption\ndata: ${JSON.stringify({ serial })}\n\n`;
  const kind: Kind = {
    line: ['serials', 'watch', '--count', '2', '--json', '--jq', '.data.serial'],
    answers: {
      'GET /api/events': { status: 200, type: 'text/event-stream', body: event('A-1') + event('A-2'), chunked: true },
    },
    call: 'GET /api/events',
  };

  it('is opened again, and prints whole events only', async () => {
    const head = bytesOf({ ...(kind.answers[kind.call] as WireAnswer), body: '' }).indexOf('\r\n\r\n') + 4;
    const wrong = await forEachByte(kind, async (after) => {
      const ended = await run(kind.line, { answers: kind.answers, cut: { call: kind.call, after, times: 1 } });
      // an answer that does not even begin is a failure, as for every command
      if (after < head) return ended.code === 1 && ended.out === '' ? [] : [`${after}: ${JSON.stringify(ended)}`];
      const printed = ended.out.split('\n').filter((line) => line !== '');
      const well = ended.code === 0 && printed.every((line) => /^(A-1|A-2|null)$/.test(line)) && printed.length === 2;
      return well ? [] : [`${after}: ${JSON.stringify(ended)}`];
    });
    expect(wrong).toEqual([]);
  }, 120_000);
});

describe('Ctrl-C', () => {
  const stages: [string, Kind, string | undefined, RegExp][] = Object.entries(kinds)
    .filter(([name]) => !name.includes('proxy'))
    .map(([name, kind]) => [name, kind, kind.call, /^Canceled\./]);

  it.each(stages)('while %s waits for its answer cancels it', async (_name, kind, call, words) => {
    const interrupt = new AbortController();
    const scene: Scene = {
      answers: kind.answers,
      onCall: async (received) => {
        if (received !== call) return;
        interrupt.abort(new DOMException('Canceled.', 'AbortError'));
      },
    };
    const ended = await run(kind.line, scene, { signal: interrupt.signal });
    expect([ended.code, ended.out, ended.left]).toEqual([2, '', kind.leaves ?? []]);
    expect(ended.err).toMatch(words);
    // it may have arrived, so the next run is told how to go on
    expect(ended.err.includes('Run the same command with --resume')).toBe(kind.once === true);
    expect(ended.unanswered).toHaveLength(kind.once ? 1 : 0);
  });

  it.each(stages)('between two tries of %s cancels it', async (_name, kind, call, words) => {
    const interrupt = new AbortController();
    const cancel = () => interrupt.abort(new DOMException('Canceled.', 'AbortError'));
    const scene: Scene = { answers: kind.answers, cut: { call: call as string, after: 10, times: 1 } };
    const { url, received } = server.play(scene);
    const folder = path.join(home, `between-${runs++}`);
    await writeIn(folder, 'in.dmg', 'abc');
    const line = kind.line.map((word) => (/^(in|out)\.\w+$/.test(word) ? path.join(folder, word) : word));
    const { code, out, err } = await runCommand(line, {
      env: { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, TONEROW_URL: url, TONEROW_TOKEN: 'x' },
      signal: interrupt.signal,
      pause: async (_milliseconds, signal) => {
        cancel();
        signal.throwIfAborted();
      },
    });
    expect([code, out], err).toEqual([2, '']);
    expect(err).toMatch(words);
    expect(received.filter((each) => each.call === call)).toHaveLength(1);
    await rm(path.join(home, 'tonerow'), { recursive: true, force: true });
  });

  it('while a file arrives leaves none', async () => {
    const kind = kinds['a stream into a file'] as Kind;
    const interrupt = new AbortController();
    const body = `Serial\r\n${'A-1\r\n'.repeat(100_000)}`;
    const answers = { 'GET /api/serials': { status: 200, type: 'text/csv', body, chunked: true } };
    const answered = run(kind.line, { answers }, { signal: interrupt.signal });
    setImmediate(() => interrupt.abort(new DOMException('Canceled.', 'AbortError')));
    const { code, left } = await answered;
    expect([code, left]).toEqual([2, []]);
  });
});

it('a file that came back whole after all is the one that was sent', async () => {
  const kind = kinds['a stream into a file'] as Kind;
  const { code, left } = await run(kind.line, {
    answers: kind.answers,
    cut: { call: kind.call, after: 30, times: 1 },
  });
  expect([code, left]).toEqual([0, ['out.csv']]);
  const written = await readFile(path.join(home, String(runs), 'out.csv'), 'utf8');
  expect(written).toBe('Serial\r\nA-1\r\nA-2\r\n');
});
