import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand, wordsOf } from '@tonerow/test-support/cli.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '#commands/index.ts';
import { operations } from '../../../sdk/src/generated/operations.gen.ts';

/** These talk to no server, or need a terminal. */
const LOCAL = ['ui', 'profiles', 'license proxy', 'payouts verify', 'trust token', 'webhooks verify'];
const PAGE = '<!doctype html><title>Welcome</title><h1>It works!</h1>';

/** The beginning of a response. Output that was already streamed can't be taken back. */
const CUT = '{"id":"01900000';

type Interference = (request: IncomingMessage, response: ServerResponse) => void;

const page = (status: number, headers: Record<string, string> = {}): Interference => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(PAGE);
  };
};

const interferences: Record<string, Interference> = {
  'a redirect to https': (request, response) =>
    page(308, { location: `https://${request.headers.host}${request.url}` })(request, response),
  'a web page': page(200),
  "a proxy's error page": page(502),
  'a response that is cut off in its head': cut((head) => head.slice(0, -10)),
  'a response that is cut off after its head': cut((head) => head),
  'a response that is cut off within': cut((head) => `${head}${CUT}`),
};

/** Cuts a response to a part that is given by its head. A redirect has nothing but a head, so nothing of it is sent. */
function cut(left: (head: string) => string): Interference {
  return (request, { socket }) => {
    const [, , answers] = operationOf(request);
    const [status, types] = Object.entries(answers)[0] as [string, readonly string[]];
    const head = `HTTP/1.1 ${status} OK\r\ncontent-type: ${types[0]}\r\ncontent-length: 900\r\n\r\n`;
    socket?.end(types.length > 0 ? left(head) : '');
  };
}

function operationOf(request: IncomingMessage) {
  const parts = (request.url ?? '').split('?')[0]?.split('/') ?? [];
  const row = Object.values(operations).find(([method, template]) => {
    const wanted = template.split('/');
    return (
      method === request.method &&
      wanted.length === parts.length &&
      wanted.every((part, at) => part.startsWith('{') || part === parts[at])
    );
  }) as readonly [string, string, Record<number, readonly string[]>?] | undefined;
  if (!row) throw new Error(`${request.method} ${request.url} is no operation`);
  return [row[0], row[1], row[2] ?? { 200: ['application/json'] }] as const;
}

const id = '01900000-0000-7000-8000-000000000001';
const product = { id, name: 'Prism Delay', version: 1, serials_available: 3, feature_list: [], file_urls: [] };
const me = { id, email: 'ada@example.com', first_name: 'Ada', last_name: 'Row', role: 'developer', credential: {} };
const serials = ['ABCD-EFGH-2345-6789', 'BCDE-FGHJ-3456-789A'].map((code) => ({ id, code, product: 'Prism Delay' }));
const card = {
  product_name: 'Prism Delay',
  serial_code: 'ABCD-EFGH-2345-6789',
  files: [{ name: 'macOS', url: 'http://127.0.0.1/file?token=t' }],
};
/** The look-ups that a command makes before its actual work. */
const lookUps: Record<string, unknown> = {
  'GET /api/auth/me': me,
  'GET /api/products': [product],
  'GET /api/products/{id}': product,
  'GET /api/serials': { rows: serials, total: 2, next_cursor: null },
  'GET /api/customers': { customers: [{ id, email: 'nina@example.com' }], total: 1, page: 1, page_size: 50 },
  'GET /api/files/{id}': { id, name: 'PrismDelay-1.2.dmg', size: 3 },
  'GET /api/batches/{id}': { id },
  'GET /api/batches': {
    rows: [{ id, batch_tag: 'Black Friday', product_name: 'Prism Delay' }],
    total: 1,
    next_cursor: null,
  },
  'GET /api/developer/plugin-keys': { keys: [{ id, label: 'Prism Delay 1.x' }] },
  'GET /api/account/tokens': [{ id, name: 'ci' }],
  'GET /api/developer/trusts': [{ id, name: 'release' }],
  'GET /api/reseller/developer/resellers': [{ id, name: 'Plugin Shop', company_name: 'Plugin Shop' }],
  'GET /api/account/settings': { time_zone: 'UTC' },
  'POST /api/redeem/products': { products: [card] },
  'POST /api/auth/device/find': { user_code: 'BCDF-GHJK', machine: 'build-07', device: 'Tonerow CLI', ip: '8.8.8.8' },
};

let home: string;
let server: Server;
let origin: string;
/** Whether these look-ups get their real responses. */
let afterLookUps = false;
let interfere: Interference;
/** The command lines under test, by their number. */
const interfered = new Set<string>();
/** Those whose call that was interfered with was a look-up. */
const lookedUp = new Set<string>();

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-interference-'));
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      // each line has an address of its own, as behind a proxy that serves the API under a path
      const [, line = '', rest = '/'] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
      request.url = rest;
      const [method, template] = operationOf(request);
      const found = lookUps[`${method} ${template}`];
      if (afterLookUps && found) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
        return;
      }
      interfered.add(line);
      if (found) lookedUp.add(line);
      interfere(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(home, { recursive: true, force: true });
});

interface Outcome {
  example: string;
  path: string;
  code: number;
  out: string;
  err: string;
  interfered: boolean;
  lookedUp: boolean;
  /** Files that were added or changed. */
  written: string[];
}

const isFile = (word: string) => /^[\w.-]+\.(csv|dmg|json|txt|png|pem|licence)$/.test(word);

/** Runs one example in a folder of its own, with the files that it reads. */
async function runExample(command: string, example: string, number: number): Promise<Outcome> {
  const folder = path.join(home, String(number));
  await mkdir(folder, { recursive: true });
  const words = wordsOf(example);
  const input = 'abc\n';
  const inputs = words.filter((word, at) => isFile(word) && !/^--(out|report)$/.test(words[at - 1] ?? ''));
  for (const name of inputs) await writeFile(path.join(folder, name), input);
  const line = words.map((word) => (isFile(word) ? path.join(folder, word) : word));
  const env = {
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    HOME: home,
    TONEROW_URL: `${origin}/${number}`,
    TONEROW_TOKEN: 'session-token',
    TONEROW_PLUGIN_KEY: 'tnr_plg_x',
  };
  const stdin = words.includes('--password-stdin') ? 'the first line\nthe second line\n' : input;
  const outcome = await runCommand(line, {
    env,
    stdin,
    pause: async (_milliseconds, signal) => signal.throwIfAborted(),
  });
  const written: string[] = [];
  for (const name of await readdir(folder)) {
    const known = inputs.includes(name) && (await readFile(path.join(folder, name), 'utf8')) === input;
    if (!known && name !== 'state') written.push(name);
  }
  return {
    ...outcome,
    example,
    path: command,
    interfered: interfered.has(String(number)),
    lookedUp: lookedUp.has(String(number)),
    written,
  };
}

let lines = 0;
async function runAll(examples: readonly { path: string; example: string }[]): Promise<Outcome[]> {
  return Promise.all(
    examples.map(({ path: command, example }) => {
      lines += 1;
      return runExample(command, example, lines);
    }),
  );
}

/** A message about work in progress or still to be done doesn't report success. */
function beforeTheError(err: string): string[] {
  const said = err.split('\n').filter((line) => line !== '' && !line.endsWith('…') && !line.startsWith('This will '));
  const at = said.findIndex((line) => line.includes(origin));
  return at === -1 ? said : said.slice(0, at);
}

describe.each(Object.entries(interferences))('%s', (name, given) => {
  // a watch that was open once waits for its server to come back
  const skip = /after its head|within/.test(name) ? ['serials watch'] : [];
  const reached = commands.filter(({ path }) => !LOCAL.includes(path) && !skip.includes(path));
  let first: Outcome[];

  it('in place of the first call is never success, for any command', async () => {
    [interfere, afterLookUps] = [given, false];
    first = await runAll(reached.flatMap(({ path, examples }) => examples.map((example) => ({ path, example }))));
    const met = new Set(first.filter((outcome) => outcome.interfered).map((outcome) => outcome.path));
    expect(reached.map(({ path }) => path).filter((each) => !met.has(each))).toEqual([]);
    expect(first.filter(isBad)).toEqual([]);
  });

  it('in place of the call after the look-ups is never success, for any command', async () => {
    [interfere, afterLookUps] = [given, true];
    // all others would meet the same again
    const outcomes = await runAll(first.filter((outcome) => outcome.lookedUp));
    expect(outcomes.filter((outcome) => outcome.interfered)).not.toEqual([]);
    expect(outcomes.filter(isBad)).toEqual([]);
  });
});

/** The lines that `tonerow api -i` prints before the response. */
const HEAD = /^HTTP \d+ .*\n([\w-]+: .*\n)*\n/;

/** Whether it looked like success, or left something behind. */
function isBad({ interfered, code, out, err, written }: Outcome): boolean {
  if (!interfered) return false;
  return (
    code === 0 ||
    !['', CUT].includes(out.replace(HEAD, '')) ||
    written.length > 0 ||
    beforeTheError(err).length > 0 ||
    !err.includes(origin)
  );
}
