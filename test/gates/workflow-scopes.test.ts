import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Contract, type Route, routesOf } from '../../packages/sdk/generator/contract.ts';
import { readSteps } from '../guides/steps.ts';

const EXAMPLES = 'docs/examples';
const GUIDES = 'docs/guides';
const routes = routesOf(JSON.parse(readFileSync('packages/sdk/openapi.json', 'utf8')) as Contract);
const id = '01900000-0000-7000-8000-000000000001';

/** Answers to look-ups that let a command go on to its main call. */
const lookUps: Record<string, unknown> = {
  getMe: { id, email: 'ada@example.com', role: 'developer', credential: { type: 'access_token', scopes: [] } },
  listProducts: [{ id, name: 'Prism Delay' }],
  listPluginKeys: { keys: [{ id, label: 'Prism Delay 1.x', expires_at: null }] },
  listResellerProducts: [{ product_id: id, name: 'Prism Delay', developer_name: 'Ada' }],
};

let home: string;
let server: Server;
let url: string;
/** The operations that were called since somebody looked. */
let called: Route[] = [];
beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'tonerow-scopes-'));
  server = createServer((request, response) => {
    const route = routeOf(request.method ?? '', request.url ?? '');
    called.push(route);
    const found = lookUps[route.operationId];
    const type = found ? 'application/json' : 'application/problem+json';
    response.writeHead(found ? 200 : 400, { 'content-type': type });
    request
      .resume()
      .on('end', () => response.end(JSON.stringify(found ?? { code: 'invalid_request', message: 'No.' })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

function routeOf(method: string, address: string): Route {
  const parts = (address.split('?')[0] ?? '').split('/');
  const fits = ({ method: own, url: template }: Route) => {
    const wanted = template.split('/');
    return (
      own.toUpperCase() === method &&
      wanted.length === parts.length &&
      wanted.every((part, at) => part.startsWith('{') || part === parts[at])
    );
  };
  const route = routes.find(fits);
  if (!route) throw new Error(`${method} ${address} is no operation`);
  return route;
}

interface Line {
  program: 'tonerow' | 'curl';
  words: string[];
  /** Whether it ran by the access token, not by a person's own sign-in. */
  byToken: boolean;
}

/** Instead of the programs, notes how they are called: by a shell, because only that knows what the words are. */
const NOTED = ['tonerow', 'curl']
  .map(
    (program) =>
      `${program}() { { printf '%s\\037' ${program} "\${TONEROW_TOKEN:-}" "$@"; printf '\\036'; } >> "$CALLS"; echo noted; }`,
  )
  .join('\n');

/** Variables that a person or a workflow sets. */
const SET = {
  PRODUCT: 'Prism Delay',
  QUANTITY: '2',
  REFERENCE: 'order-1042-1',
  TAG: 'Nightly',
  KEY: 'Prism Delay 1.x',
  GRACE: '7d',
  GITHUB_RUN_ID: '1',
  CI_PIPELINE_ID: '1',
};

async function linesOf(scripts: readonly string[], token: string): Promise<Line[]> {
  const folder = mkdtempSync(path.join(home, 'run-'));
  const calls = path.join(folder, 'calls');
  const summary = path.join(folder, 'summary');
  const env = {
    ...SET,
    PATH: process.env.PATH ?? '',
    TONEROW_URL: url,
    TONEROW_TOKEN: token,
    CALLS: calls,
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: summary,
  };
  const script = [NOTED, 'npm() { :; }', 'cat() { command cat "$@" 2>/dev/null || echo noted; }', ...scripts].join(
    '\n',
  );
  await execa('bash', ['-c', script], { env, extendEnv: false, cwd: folder, reject: false, stdin: 'ignore' });
  return readFileSync(calls, 'utf8')
    .split('\x1e')
    .filter((call) => call !== '')
    .map((call) => {
      const [program, held = '', ...words] = call.split('\x1f').slice(0, -1);
      const signedIn = words.includes('--with-token') || words.join(' ').includes('--profile ci');
      return { program: program as Line['program'], words, byToken: held !== '' || signedIn };
    });
}

/** The operations that one line calls. */
async function operationsOf({ program, words }: Line): Promise<Route[]> {
  called = [];
  if (program === 'curl') {
    const address = words.find((word) => word.startsWith(url)) as string;
    return [routeOf(words.includes('-d') ? 'POST' : 'GET', address.slice(url.length))];
  }
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: mkdtempSync(path.join(home, 's-')),
    TONEROW_URL: url,
  };
  const at = words.indexOf('--out');
  const line = words.map((word, index) => (at >= 0 && index === at + 1 ? path.join(env.XDG_STATE_HOME, word) : word));
  const { code, err } = await runCommand(line, { env: { ...env, TONEROW_TOKEN: 'tnr_pat_x' }, stdin: 'tnr_pat_x' });
  expect(code, `tonerow ${words.join(' ')}: ${err}`).not.toBe(64);
  return called;
}

const scopesIn = (text: string) => new Set([...text.matchAll(/--scope (\S+)/g)].map(([, scope]) => scope as string));

/** Compares the scopes that are asked for with those that the lines use. */
async function compare(asked: ReadonlySet<string>, lines: readonly Line[]) {
  const used = new Set<string>();
  const missing: string[] = [];
  for (const line of lines) {
    for (const { operationId, 'x-access': access } of await operationsOf(line)) {
      const fitting = [access?.scope ?? []].flat().filter((scope) => asked.has(scope));
      if (access?.scope !== undefined && fitting.length === 0)
        missing.push(`${operationId} for ${line.words.join(' ')}`);
      for (const scope of fitting) used.add(scope);
    }
  }
  return { missing, needless: [...asked].filter((scope) => !used.has(scope)) };
}

interface Job {
  steps?: { run?: string }[];
  before_script?: string[];
  script?: string[];
}

/** All that the jobs of an example run, at GitHub or GitLab. */
function scriptsOf(file: string): string[] {
  const document = parse(readFileSync(path.join(EXAMPLES, file), 'utf8')) as Record<string, Job> & {
    jobs?: Record<string, Job>;
  };
  return Object.values(document.jobs ?? document).flatMap(({ steps = [], before_script = [], script = [] }) => [
    ...steps.flatMap(({ run }) => run ?? []),
    ...before_script,
    ...script,
  ]);
}

const examples = readdirSync(EXAMPLES).filter((file) => file.endsWith('.yml'));

it.each(examples)('%s asks for the scopes that its commands need, and for no others', async (file) => {
  const lines = await linesOf(scriptsOf(file), 'noted');
  expect(lines.filter(({ words }) => words[0] === 'whoami')).not.toEqual([]);
  const asked = scopesIn(readFileSync(path.join(EXAMPLES, file), 'utf8'));
  expect(await compare(asked, lines)).toEqual({ missing: [], needless: [] });
});

const guides = readdirSync(GUIDES).filter((file) => /--scope/.test(readFileSync(path.join(GUIDES, file), 'utf8')));

it.each(guides)('%s does so too, with the workflows that it links', async (file) => {
  const text = readFileSync(path.join(GUIDES, file), 'utf8');
  const own = await linesOf(
    readSteps(text).map(({ script }) => script),
    '',
  );
  const linked = [...text.matchAll(/examples\/([\w-]+\.yml)\)/g)].map(([, name]) => name as string);
  const ofLinked = (await Promise.all(linked.map((name) => linesOf(scriptsOf(name), 'noted')))).flat();
  const made = own.filter(
    ({ words: [noun, verb] }) => (noun === 'tokens' && verb === 'create') || (noun === 'trust' && verb === 'add'),
  );
  expect(made).not.toEqual([]);
  for (const { words } of made) {
    const asked = new Set(words.filter((_, at) => words[at - 1] === '--scope'));
    const lines = [...own.filter(({ byToken }) => byToken), ...ofLinked];
    expect(await compare(asked, lines), words.join(' ')).toEqual({ missing: [], needless: [] });
  }
});

it('finds a scope that is missing, and one that has no use', async () => {
  const lines = await linesOf(['tonerow whoami', 'tonerow keys list'], 'noted');
  expect(await compare(new Set(['keys:read', 'refunds:write']), lines)).toEqual({
    missing: ['getMe for whoami'],
    needless: ['refunds:write'],
  });
});
