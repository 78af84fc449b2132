import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const web = path.resolve('packages/web/src');

/** Modules that a component of `ui/` must not reach, not even through another module. */
const DATA = [
  '@tanstack/react-query',
  'lib/api.ts',
  'lib/live.ts',
  'lib/queries',
  'lib/session/session.ts',
  'lib/files/upload.ts',
];

/** The modules that a source imports at run time: types cost and know nothing. */
function importsOf(source: string): string[] {
  const statements =
    /(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;
  return [...source.matchAll(statements)].map((match) => (match[1] ?? match[2]) as string);
}

type Read = (file: string) => string;

/** The shortest way from a file to data, such as `ui/x.tsx → lib/y.ts → lib/api.ts`, or undefined. */
function wayToData(start: string, read: Read): string | undefined {
  const seen = new Set([start]);
  const ways = [[start]];
  for (const way of ways) {
    const file = way.at(-1) as string;
    for (const target of importsOf(read(file))) {
      const own = /^[.#]/.test(target);
      const next = target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target.replace('#', '');
      if (DATA.some((each) => next === each || next.startsWith(`${each}/`))) return [...way, next].join(' → ');
      if (!own || seen.has(next) || !/\.tsx?$/.test(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

const readSource: Read = (file) => readFileSync(path.join(web, file), 'utf8');
const filesOf = (folder: string) =>
  readdirSync(path.join(web, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => `${folder}/${name}`);

/** All of the dashboard and the redemption page. */
function sources(): string[] {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.') && file !== 'routeTree.gen.ts');
  expect(files.length).toBeGreaterThan(200);
  return files;
}

describe('ui/', () => {
  it('reaches no query and no call of the API, directly or through other modules', () => {
    const files = filesOf('ui');
    expect(files.length).toBeGreaterThan(60);
    expect(files.map((file) => wayToData(file, readSource)).filter(Boolean)).toEqual([]);
  });

  it.each([
    ['a query', { 'ui/x.tsx': "import { useQuery } from '@tanstack/react-query';" }],
    ['the client', { 'ui/x.tsx': "import { api } from '#lib/api.ts';" }],
    ['the client by a path', { 'ui/x.tsx': "import { api } from '../lib/api.ts';" }],
    ['the client, loaded later', { 'ui/x.tsx': "const load = () => import('#lib/api.ts');" }],
    [
      'a helper that calls the API',
      { 'ui/x.tsx': "import { y } from '#lib/y.ts';", 'lib/y.ts': "export * from './api.ts';" },
    ],
    [
      'a query in another component',
      { 'ui/x.tsx': "import {\n  y,\n} from './y.tsx';", 'ui/y.tsx': "import { k } from '#lib/queries/keys.ts';" },
    ],
  ] as [string, Record<string, string>][])('is refused %s', (_what, planted) => {
    expect(wayToData('ui/x.tsx', (file) => planted[file] ?? '')).toMatch(/^ui\/x\.tsx → /);
  });

  it('may name the types of data', () => {
    expect(wayToData('ui/x.tsx', () => "import type { api } from '#lib/api.ts';")).toBeUndefined();
  });
});

describe('widgets/', () => {
  it('holds what asks for data; what only shows goes into ui/', () => {
    const dumb = filesOf('widgets').filter((file) => !wayToData(file, readSource));
    expect(dumb).toEqual([]);
  });
});

/** Query keys that are written out, and calls that decide what is read again. */
const handWritten = (source: string) =>
  source.match(/queryKey: \[|queryKey = \[|\.(?:invalidate|refetch|reset)Queries\(/g) ?? [];

describe('query keys and what makes them stale', () => {
  it('are in lib/queries/ alone', () => {
    const files = sources().filter((file) => !file.startsWith('lib/queries/'));
    expect(files.filter((file) => handWritten(readSource(file)).length > 0)).toEqual([]);
  });

  it.each([
    "const list = useQuery({ queryKey: ['things'], queryFn });",
    'const queryKey = [name, id];',
    'queryClient.invalidateQueries({ queryKey: keys.things.all });',
    'client.refetchQueries();',
  ])('are found where they are not: %s', (source) => {
    expect(handWritten(source)).toHaveLength(1);
  });
});

/** Forms that send what was typed in a way of their own. */
const handSent = (source: string) => source.match(/<form\b(?! \{\.\.\.form\.frame\})|\buseForm\(|\buseForm</g) ?? [];

describe('forms', () => {
  it('are saved by useSavedForm alone, also those in a FormDialog', () => {
    const others = ['widgets/forms/use-saved-form.ts', 'ui/dialogs/confirm-dialog.tsx'];
    const files = sources().filter((file) => !file.startsWith('redeem/') && !others.includes(file));
    expect(files.filter((file) => handSent(readSource(file)).length > 0)).toEqual([]);
  });

  it.each([
    '<form onSubmit={submit} noValidate>',
    '<form\n  className="mt-4"\n  onSubmit={form.handleSubmit(save)}\n>',
    'const form = useForm({ defaultValues });',
    'const form = useForm<Form>({ defaultValues });',
  ])('are found where they are not: %s', (source) => {
    expect(handSent(source)).toHaveLength(1);
  });

  it('may look as they like', () => {
    expect(handSent('<form {...form.frame} className="mt-4">')).toEqual([]);
  });
});

/** Addresses of the API that are typed instead of taken from the contract, whose own address is not an operation. */
const typedPaths = (source: string) => source.match(/(['"`]|\^\\?)(\\?\/)(api|v1)\\?\/(?!openapi\.json)/g) ?? [];

describe('addresses of the API', () => {
  it('come from the contract', () => {
    expect(sources().filter((file) => typedPaths(readSource(file)).length > 0)).toEqual([]);
  });

  it.each(["fetch('/api/products')", 'href={`/api/license/v1/jwks`}', 'const own = /^\\/api\\/imports/;'])(
    'are found where they are typed: %s',
    (source) => {
      expect(typedPaths(source)).toHaveLength(1);
    },
  );
});

it('a page that waits when its session ends can be gone on with', () => {
  const guarded = sources().filter((file) => file.startsWith('routes/') && readSource(file).includes('requireSession'));
  expect(guarded.length).toBeGreaterThan(1);
  expect(guarded.filter((file) => !readSource(file).includes('<Awaited />'))).toEqual([]);
});

it('finds the files that its rules name', () => {
  for (const name of DATA.filter((each) => each.startsWith('lib/')))
    expect(existsSync(path.join(web, name)) || existsSync(path.join(web, `${name}.ts`)), name).toBe(true);
});
