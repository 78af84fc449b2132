import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { browserPages } from '@tonerow/test-support/browser-suite.ts';
import { type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedExamples, fencedExamples, install, nodeOf, runtimeOf } from './support.ts';

const LONG = 180_000;
const nodes = [20, 22, 24].map((major) => ({ major, node: nodeOf(major) }));
for (const { major, node } of nodes)
  if (!node) console.warn(`Skipped: the packages on Node ${major}, which is not installed.`);
const others = [
  { name: 'Bun', runtime: runtimeOf('bun'), line: ['run'] },
  { name: 'Deno', runtime: runtimeOf('deno'), line: ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'] },
];
for (const { name, runtime } of others)
  if (!runtime) console.warn(`Skipped: the SDK on ${name}, which is not installed.`);

let server: SharedServer;
let ada: Person;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tonerow-packages-'));
  [server] = await Promise.all([sharedServer(), install(folder, 'sdk'), install(folder, 'cli')]);
  ada = await signUp(server);
}, LONG);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the SDK, packed and installed in an empty project', () => {
  const { newPage } = browserPages();
  const project = (...parts: string[]) => path.join(folder, 'sdk', ...parts);
  const read = (file: string) => readFileSync(project('node_modules/@tonerow/sdk', file), 'utf8');
  const env = () => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token, TONEROW_DEVELOPER: ada.id });

  it('has its README, its build and its sources, and no test', () => {
    const files = readdirSync(project('node_modules/@tonerow/sdk'), { recursive: true }).map(String);
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'dist/esm/index.js', 'dist/cjs/index.js', 'src/index.ts']),
    );
    expect(files.filter((file) => /\.test\.|node_modules|openapi-ts/.test(file))).toEqual([]);
  });

  it('has every file that it names, the types of each name among them', () => {
    const { exports, main, module, types } = JSON.parse(read('package.json'));
    const targets = (target: string | object): string[] =>
      typeof target === 'string' ? [target] : Object.values(target).flatMap(targets);
    const named = [main, module, types, ...targets(exports)];
    expect(named.filter((file) => file.endsWith('/values.gen.d.ts'))).toHaveLength(2);
    expect(named.filter((file) => !existsSync(project('node_modules/@tonerow/sdk', file)))).toEqual([]);
  });

  it('names the types of each module before its code, which a compiler would take otherwise', () => {
    const { exports } = JSON.parse(read('package.json'));
    const modules = Object.entries<Record<string, object>>(exports).filter(([name]) => !name.endsWith('.json'));
    const conditions = modules
      .flatMap(([, target]) => [target.import, target.require])
      .map((each) => Object.keys(each ?? {}));
    expect(conditions).toEqual(conditions.map(() => ['types', 'default']));
    expect(conditions.length).toBeGreaterThan(2);
  });

  it('leads from every name that it exports to a module, by import and by require', async () => {
    const names = Object.keys(JSON.parse(read('package.json')).exports).filter((name) => !name.endsWith('.json'));
    const load = `const names = ${JSON.stringify(names.map((name) => `@tonerow/sdk${name.slice(1)}`))};
      const { createRequire } = await import('node:module');
      const require = createRequire(process.cwd() + '/x.js');
      for (const name of names) console.log(Object.keys(require(name)).sort().join() === Object.keys(await import(name)).sort().join());`;
    const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', load], { cwd: project() });
    expect(stdout.split('\n')).toEqual(names.map(() => 'true'));
  });

  for (const { major, node } of nodes) {
    it.skipIf(!node).each(['use.mjs', 'use.cjs'])(
      `works on Node ${major}: %s`,
      async (file) => {
        const done = await execa(String(node), [file], { cwd: project(), env: env() });
        expect([done.stdout, done.stderr]).toEqual(['done', '']);
      },
      LONG,
    );
  }

  for (const { name, runtime, line } of others) {
    it.skipIf(!runtime).each(['use.mjs', 'use.cjs'])(
      `works on ${name}: %s`,
      async (file) => {
        const done = await execa(String(runtime), [...line, file], { cwd: project(), env: env() });
        expect(done.stdout).toBe('done');
      },
      LONG,
    );
  }

  const compilers = {
    'TypeScript 6': 'packages/sdk/node_modules/typescript',
    'TypeScript 7': 'node_modules/typescript',
  };
  const settings: Record<string, object> = {
    'a module in Node': { module: 'nodenext', lib: ['es2022'], types: ['node'], target: 'es2022' },
    'a module for a bundler': { module: 'esnext', moduleResolution: 'bundler', types: [], target: 'es2022' },
    'a module with exact optional properties': {
      module: 'node20',
      types: ['node'],
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    },
  };
  for (const [compiler, place] of Object.entries(compilers))
    it.each(Object.keys(settings))(
      `has sound types for ${compiler} in %s`,
      async (name) => {
        const file = project(`tsconfig.${compiler.at(-1)}.json`);
        const compilerOptions = { ...settings[name], strict: true, skipLibCheck: false, noEmit: true };
        writeFileSync(file, JSON.stringify({ compilerOptions, files: ['typed.mts', 'typed.cts'] }));
        const { all, exitCode } = await execa(process.execPath, [path.resolve(place, 'bin/tsc'), '-p', file], {
          all: true,
          reject: false,
        });
        expect(all).toBe('');
        expect(exitCode).toBe(0);
      },
      LONG,
    );

  it.each([
    ['the documentation of its methods', () => documentedExamples(read('dist/esm/generated/resources.gen.d.ts'))],
    ['its README', () => fencedExamples(read('README.md'))],
  ])(
    'has examples that compile: %s',
    async (name, examples) => {
      const snippets = examples();
      expect(snippets.length).toBeGreaterThan(name === 'its README' ? 6 : 100);
      const file = `examples-${snippets.length}.mts`;
      const own = new Set(snippets.flatMap((snippet) => snippet.match(/^import .*/gm) ?? []));
      const imports = ["import type { Client } from '@tonerow/sdk';", ...own];
      if (own.size === 0) imports.push("import { watchEvents } from '@tonerow/sdk';");
      const bodies = snippets.map((snippet, at) => {
        const body = snippet.replace(/^import .*/gm, '');
        const given = /\bclient = /.test(body) ? '' : 'client: Client';
        return `export async function example${at}(${given}) {\n${body}\n}\n`;
      });
      writeFileSync(project(file), [imports.join('\n'), ...bodies].join('\n'));
      const line = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', file];
      const { all } = await execa(process.execPath, [path.resolve('node_modules/typescript/bin/tsc'), ...line], {
        all: true,
        cwd: project(),
        reject: false,
      });
      // names that a reader has to bring along are of any type
      const wrong = all.split('\n').filter((text) => text !== '' && !/^\S+: error TS(?:2304|18004|2552):/.test(text));
      expect(wrong).toEqual([]);
    },
    LONG,
  );

  it(
    'is bundled for a browser without anything of Node, and works there',
    async () => {
      const { outputFiles, metafile } = await build({
        stdin: { contents: "export * from '@tonerow/sdk';", resolveDir: project() },
        bundle: true,
        format: 'iife',
        globalName: 'sdk',
        platform: 'browser',
        write: false,
        metafile: true,
        minify: true,
      });
      const inputs = Object.keys(metafile.inputs);
      expect(inputs.filter((input) => input.includes('@tonerow/sdk/dist/esm/index.js'))).toHaveLength(1);
      expect(inputs.filter((input) => /undici|sdk\/src/.test(input))).toEqual([]);
      const text = outputFiles[0]?.text ?? '';
      expect(text).not.toMatch(/\brequire\(|["']node:/);

      const page = await newPage({ bypassCSP: true });
      await page.goto(`${server.url}/livez`);
      await page.addScriptTag({ content: text });
      const script = `(async () => {
        const client = sdk.createClient({ baseUrl: '', token: ${JSON.stringify(ada.token)} });
        const { name } = await client.products.create({ name: 'Made in a browser' });
        const error = await client.products.create({}).catch((thrown) => thrown);
        const jwks = await client.licenses.getKeys({ dev: ${JSON.stringify(ada.id)} });
        const license = await sdk.verifyLicense('no token', jwks, { productId: 'p', machineId: 'm' });
        return [name, error instanceof sdk.InvalidRequestError, license.reason];
      })()`;
      expect(await page.evaluate(script)).toEqual(['Made in a browser', true, 'malformed']);
    },
    LONG,
  );
});

describe('the terminal client, packed and installed in an empty project', () => {
  const run = (node: string, ...line: string[]) =>
    execa(node, ['node_modules/.bin/tonerow', ...line], {
      cwd: path.join(folder, 'cli'),
      env: { TONEROW_URL: server.url, TONEROW_TOKEN: ada.token, HOME: folder },
      reject: false,
    });

  for (const { major, node } of nodes)
    it.skipIf(!node)(
      major < 22 ? `names the Node it needs on Node ${major}` : `works on Node ${major}`,
      async () => {
        const { exitCode, stdout, stderr } = await run(
          String(node),
          'products',
          'create',
          `Packed ${major}`,
          '--json=name',
        );
        if (major < 22) expect([exitCode, stderr]).toEqual([1, expect.stringContaining('needs Node 22 or newer')]);
        else expect([exitCode, JSON.parse(stdout), stderr]).toEqual([0, { name: `Packed ${major}` }, '']);
      },
      LONG,
    );

  it('needs no other package, and brings its manual page', () => {
    const modules = readdirSync(path.join(folder, 'cli/node_modules')).filter((name) => !name.startsWith('.'));
    expect(modules).toEqual(['@tonerow']);
    expect(existsSync(path.join(folder, 'cli/node_modules/@tonerow/cli/dist/tonerow.1'))).toBe(true);
  });
});
