import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { plantFiles } from '@tonerow/test-support/planted.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const use = (from: string) => `import * as planted from '${from}';\n\nexport const used = planted;\n`;
const S = 'packages/server/src';
const F = `${S}/features/serials`;
/** A folder inside a feature. */
const ROOM = `${S}/features/licensing/calls`;
const C = 'packages/cli/src';
const W = 'packages/web/src';
const F_WEB = `${W}/features/serials`;

/** Files outside the features and the platform: put together, started, or read from outside. */
const ROOT = [
  'app.ts',
  'deps.ts',
  'base.ts',
  'features.ts',
  'main.ts',
  'bin.ts',
  'serve.ts',
  'runtime.ts',
  'beside-server.ts',
  'entities.ts',
  'config.ts',
  'secrets/secrets-file.ts',
  'contract/complete.ts',
  'backup/index.ts',
];

/** [what, where it is planted, its source] */
const refused: [string, string, string][] = [
  ['the SDK imports the server', 'packages/sdk/src/x.ts', use('../../server/src/config.ts')],
  ['the SDK imports a package of ours', 'packages/sdk/src/x.ts', use('@tonerow/cli')],
  ['the server imports the SDK', `${S}/x.ts`, use('@tonerow/sdk')],
  ['the server imports a part of the SDK', `${S}/x.ts`, use('@tonerow/sdk/operations')],
  ['the server imports the helpers of the tests', `${S}/x.ts`, use('@tonerow/test-support/http.ts')],
  ['the platform imports the SDK', `${S}/platform/x.ts`, use('../../../sdk/src/index.ts')],
  ['a feature imports the SDK', `${F}/x.ts`, use('../../../../sdk/src/index.ts')],
  ['a face imports the SDK', `${F}/index.ts`, use('@tonerow/sdk')],
  ['routes import the SDK', `${F}/x.routes.ts`, use('@tonerow/sdk')],
  ['a service imports the terminal client', `${F}/x.service.ts`, use('../../../../cli/src/main.ts')],
  ['a schema imports the dashboard', `${F}/x.schemas.ts`, use('../../../../web/src/lib/api.ts')],
  ['the contract imports the SDK', `${S}/contract/x.ts`, use('../../../sdk/src/index.ts')],
  ['a backup imports the SDK', `${S}/backup/x.ts`, use('@tonerow/sdk')],

  ['the platform imports a feature', `${S}/platform/x.ts`, use('#features/products')],
  ['the platform imports a feature by a path', `${S}/platform/x.ts`, use('../features/products/index.ts')],
  ['a folder of the platform imports a feature', `${S}/platform/db/x.ts`, use('#features/products')],
  ['the platform imports the config', `${S}/platform/db/x.ts`, use('../../config.ts')],
  ['a feature imports the SDK later', `${F}/x.ts`, "export const load = () => import('@tonerow/sdk');\n"],
  ...ROOT.flatMap((file): [string, string, string][] => [
    [`the platform imports ${file}`, `${S}/platform/x.ts`, use(`../${file}`)],
    [`a folder of the platform imports ${file}`, `${S}/platform/db/x.ts`, use(`../../${file}`)],
    [`a feature imports ${file}`, `${F}/x.ts`, use(`../../${file}`)],
    [`a face imports ${file}`, `${F}/index.ts`, use(`../../${file}`)],
    [`routes import ${file}`, `${F}/x.routes.ts`, use(`../../${file}`)],
    [`queries import ${file}`, `${F}/x.queries.ts`, use(`../../${file}`)],
    [`a schema imports ${file}`, `${F}/x.schemas.ts`, use(`../../${file}`)],
    [`a rule imports ${file}`, `${F}/x-rules.ts`, use(`../../${file}`)],
    [`a folder of a feature imports ${file}`, `${ROOM}/x.ts`, use(`../../../${file}`)],
  ]),
  ...['app', 'deps', 'entities', 'config', 'base', 'features'].flatMap((below) =>
    ['main', 'bin', 'serve', 'runtime', 'beside-server'].map((above): [string, string, string] => [
      `${below}.ts imports ${above}.ts`,
      `${S}/${below}.ts`,
      use(`./${above}.ts`),
    ]),
  ),

  // a feature's index.ts is its only address, in each kind of file
  ...[
    'x.ts',
    'x.service.ts',
    'x.routes.ts',
    'x.queries.ts',
    'x.entity.ts',
    'x.schemas.ts',
    'x-rules.ts',
    'index.ts',
  ].flatMap((name): [string, string, string][] => [
    [`${name} reaches into another feature`, `${F}/${name}`, use('../products/products-fields.ts')],
    [`${name} reaches into a folder of another feature`, `${F}/${name}`, use('../licensing/seats/seats.ts')],
    [`${name} reaches into another feature the long way`, `${F}/${name}`, use('../../features/products/x.ts')],
    [`${name} reaches behind another feature’s address`, `${F}/${name}`, use('#features/products/fields')],
    [`${name} in a folder reaches into another feature`, `${ROOM}/${name}`, use('../../serials/codes.ts')],
  ]),
  // folders inside features have the names of features, too
  ...['audit', 'notices', 'closing', 'webhook', 'requests'].flatMap((name): [string, string, string][] => [
    [`a feature reaches into ${name}`, `${F}/x.ts`, use(`../${name}/${name}.entity.ts`)],
    [`a service reaches into ${name}`, `${F}/x.service.ts`, use(`../${name}/${name}.service.ts`)],
    [`routes reach into ${name}`, `${F}/x.routes.ts`, use(`../${name}/x.ts`)],
    [`a face reaches into ${name}`, `${F}/index.ts`, use(`../${name}/x.ts`)],
    [`a schema reaches into ${name}`, `${F}/x.schemas.ts`, use(`../${name}/${name}.schemas.ts`)],
    [`a rule reaches into ${name}`, `${F}/x-rules.ts`, use(`../${name}/${name}-rules.ts`)],
    [`a folder of a feature reaches into ${name}`, `${ROOM}/x.ts`, use(`../../${name}/x.ts`)],
    [`a feature reaches behind the address of ${name}`, `${F}/x.ts`, use(`#features/${name}/x`)],
  ]),
  ['a feature reaches into another by a detour', `${F}/x.ts`, use('./../products/x.ts')],
  ['a feature reaches into another by a longer detour', `${F}/x.ts`, use('./x/../../products/x.ts')],
  ['a feature reaches out of the platform’s address', `${F}/x.ts`, use('#platform/../features/products/x.ts')],
  ['a feature re-exports what is inside another', `${F}/x.ts`, "export * from '../products/x.ts';\n"],
  ['a feature loads what is inside another', `${F}/x.ts`, "export const load = () => import('../products/x.ts');\n"],
  ['a feature names a type inside another', `${F}/x.ts`, "export type X = import('../products/x.ts').X;\n"],
  ['a feature imports a type inside another', `${F}/x.ts`, "export type { X } from '../products/x.ts';\n"],
  ['a feature goes around the address of another', `${F}/x.ts`, use('../products/index.ts')],
  ['a folder goes around the address of another feature', `${ROOM}/x.ts`, use('../../serials/index.ts')],
  ['a feature goes around the address of the platform', `${F}/x.ts`, use('../../platform/errors.ts')],
  ['the app goes around the address of a feature', `${S}/app.ts`, use('./features/products/index.ts')],
  ['the contract reaches into a feature', `${S}/contract/x.ts`, use('../features/webhooks/events/x.ts')],
  ['a backup goes around the address of the platform', `${S}/backup/x.ts`, use('../platform/errors.ts')],

  ['routes read the database themselves', `${F}/x.routes.ts`, use('./serials.queries.ts')],
  ['routes in a folder read the database themselves', `${ROOM}/x.routes.ts`, use('../seats/seats.queries.ts')],
  ['what knows HTTP reads the database itself', `${F}/x.http.ts`, use('./serials.queries.ts')],
  ['what knows HTTP reaches into another feature', `${F}/x.http.ts`, use('../products/products.service.ts')],
  ['a service imports what knows HTTP', `${F}/x.service.ts`, use('./x.http.ts')],
  ['queries import what knows HTTP', `${F}/x.queries.ts`, use('./x.http.ts')],
  ['a schema imports what knows HTTP', `${F}/x.schemas.ts`, use('./x.http.ts')],
  ['a rule imports what knows HTTP', `${F}/x-rules.ts`, use('./x.http.ts')],
  ['a call imports fastify', `${ROOM}/x.call.ts`, use('fastify')],
  ['a call imports routes', `${ROOM}/x.call.ts`, use('../key-files/hise.routes.ts')],
  ['a call reaches into another feature', `${ROOM}/x.call.ts`, use('../../serials/serials.service.ts')],
  ...['x.ts', 'x.queries.ts', 'x.entity.ts', 'x.schemas.ts', 'x-rules.ts', 'x.http.ts'].map(
    (name): [string, string, string] => [`${name} imports a call`, `${ROOM}/${name}`, use('./validate.call.ts')],
  ),
  ['a service imports its routes', `${F}/x.service.ts`, use('./serials.routes.ts')],
  ['queries import routes', `${F}/x.queries.ts`, use('./serials.routes.ts')],
  ['a schema imports routes', `${F}/x.schemas.ts`, use('./serials.routes.ts')],
  ['a rule imports routes', `${F}/x-rules.ts`, use('./serials.routes.ts')],
  ['a service imports fastify', `${F}/x.service.ts`, use('fastify')],
  ['a service in a folder imports fastify', `${ROOM}/x.service.ts`, use('fastify')],
  ['a service imports a plugin of fastify', `${F}/x.service.ts`, use('@fastify/jwt')],
  ['a service imports what knows fastify', `${F}/x.service.ts`, use('fastify-type-provider-zod')],
  ['queries import fastify', `${F}/x.queries.ts`, use('fastify')],
  ['an entity imports fastify', `${F}/x.entity.ts`, use('fastify')],
  ['a schema imports fastify', `${F}/x.schemas.ts`, use('fastify')],
  ['a rule imports fastify', `${F}/x-rules.ts`, use('fastify')],
  ['an entity imports its service', `${F}/x.entity.ts`, use('./serials.service.ts')],
  ['queries import their service', `${F}/x.queries.ts`, use('./serials.service.ts')],
  ['a schema imports a service of another folder', `${ROOM}/x.schemas.ts`, use('../key-files/juce.service.ts')],
  ...[
    './x.service.ts',
    './x.queries.ts',
    './x.entity.ts',
    '@mikro-orm/core',
    'pg',
    'pg-copy-streams',
    'node:fs',
    'node:fs/promises',
  ].flatMap((from): [string, string, string][] => [
    [`a schema imports ${from}`, `${F}/x.schemas.ts`, use(from)],
    [`a rule imports ${from}`, `${F}/x-rules.ts`, use(from)],
  ]),
  ...[
    'node:child_process',
    'node:net',
    'undici',
    ...['db', 'http', 'jobs', 'mail', 'email', 'storage'].map((part) => `#platform/${part}/x.ts`),
  ].map((from): [string, string, string] => [`a rule imports ${from}`, `${F}/x-rules.ts`, use(from)]),
  ['a rule in a folder asks the database', `${ROOM}/x-rules.ts`, use('#platform/db/database.ts')],

  ['the server reads the environment outside its config', `${S}/platform/x.ts`, 'export const x = process.env.HOME;\n'],
  [
    'the environment comes in by import',
    `${S}/platform/x.ts`,
    `import { env } from 'node:process';\n\nexport const x = env.HOME;\n`,
  ],
  ['the SDK reads the environment', 'packages/sdk/src/x.ts', 'export const x = process.env.HOME;\n'],
  ['a command reads the environment', `${C}/commands/x.ts`, 'export const x = process.env.HOME;\n'],

  ['the terminal client imports the server', `${C}/x.ts`, use('../../server/src/config.ts')],
  ['the terminal client imports the server by its name', `${C}/x.ts`, use('@tonerow/server/src/config.ts')],
  ['the terminal client imports the dashboard', `${C}/x.ts`, use('@tonerow/web')],
  ['what is shown imports the dashboard', `${C}/ui/x.ts`, use('@tonerow/web')],
  ['the terminal client goes around the name of the SDK', `${C}/x.ts`, use('../../sdk/src/index.ts')],
  ['Ink is loaded outside ui/', `${C}/commands/x.ts`, use('ink')],
  ['a part of Ink is loaded outside ui/', `${C}/commands/x.ts`, use('@inkjs/ui')],
  ['React is loaded outside ui/', `${C}/commands/x.ts`, use('react/jsx-runtime')],
  ['React itself is loaded outside ui/', `${C}/x.ts`, use('react')],
  ['ui/ is loaded before it is shown', `${C}/commands/x.ts`, use('#ui/live.tsx')],
  ['ui/ is loaded by a path', `${C}/x.ts`, use('./ui/live.tsx')],
  ['a command goes around an address', `${C}/commands/x.ts`, use('../output/table.ts')],
  ['a command of a noun goes around an address', `${C}/commands/deals/x.ts`, use('../../define-command.ts')],

  ['the dashboard imports the server', `${W}/features/keys/x.ts`, use('@tonerow/server')],
  ['the dashboard imports a file of the server', `${W}/features/keys/x.ts`, use('@tonerow/server/src/config.ts')],
  ['the dashboard goes around the name of the SDK', `${W}/lib/x.ts`, use('../../../sdk/src/index.ts')],
  ['a route goes around the name of the SDK', `${W}/routes/x.ts`, use('../../../sdk/src/index.ts')],
  ['a feature of the dashboard imports another', `${W}/features/keys/x.ts`, use('#features/products/x.ts')],
  ['a feature of the dashboard imports another by a path', `${W}/features/keys/x.ts`, use('../products/x.ts')],
  ['a feature of the dashboard imports a route', `${W}/features/keys/x.ts`, use('../../routes/__root.tsx')],
  ['a feature of the dashboard imports the redemption page', `${W}/features/keys/x.ts`, use('../../redeem/api.ts')],
  ['a feature of the dashboard goes around an address', `${W}/features/keys/x.ts`, use('../../ui/button.tsx')],
  ['a part of a feature imports another', `${F_WEB}/generate/x.ts`, use('../available/available.tsx')],
  ['a part of a feature imports another feature', `${F_WEB}/generate/x.ts`, use('#features/keys/keys-query.ts')],
  ['a part of a feature imports another by a path', `${F_WEB}/generate/x.ts`, use('../../keys/keys-query.ts')],
  ['a part of a feature imports a route', `${F_WEB}/generate/x.ts`, use('../../../routes/__root.tsx')],
  ['a part of a feature imports the redemption page', `${F_WEB}/generate/x.ts`, use('../../../redeem/api.ts')],
  ...[
    'features/keys/x.tsx',
    'widgets/x.tsx',
    'lib/api.ts',
    'lib/queries/operation.ts',
    'lib/live.ts',
    'lib/files/upload.ts',
    'lib/session/session.ts',
  ].flatMap((from): [string, string, string][] => [
    [`a primitive imports ${from}`, `${W}/ui/x.ts`, use(`#${from}`)],
    [`a primitive imports ${from} by a path`, `${W}/ui/x.ts`, use(`../${from}`)],
  ]),
  ['a primitive uploads by a file in a folder of lib/', `${W}/ui/x.ts`, use('#lib/x/upload.ts')],
  ['a primitive imports a route', `${W}/ui/x.ts`, use('../routes/__root.tsx')],
  ['a primitive imports the redemption page', `${W}/ui/x.ts`, use('../redeem/api.ts')],
  ['a primitive asks for data', `${W}/ui/x.ts`, use('@tanstack/react-query')],
  ['a primitive calls the SDK', `${W}/ui/x.ts`, use('@tonerow/sdk')],
  ['a primitive calls a part of the SDK', `${W}/ui/x.ts`, use('@tonerow/sdk/operations')],
  ...['features/keys/x.tsx', 'routes/__root.tsx', 'redeem/api.ts'].flatMap((from): [string, string, string][] => [
    [`a widget imports ${from}`, `${W}/widgets/x.ts`, use(`#${from}`)],
    [`a widget imports ${from} by a path`, `${W}/widgets/x.ts`, use(`../${from}`)],
  ]),
  ...['features/keys/x.tsx', 'routes/__root.tsx', 'redeem/api.ts', 'ui/button.tsx', 'widgets/x.tsx'].flatMap(
    (from): [string, string, string][] => [
      [`lib/ imports ${from}`, `${W}/lib/x.ts`, use(`#${from}`)],
      [`lib/ imports ${from} by a path`, `${W}/lib/x.ts`, use(`../${from}`)],
      [`a folder of lib/ imports ${from} by a path`, `${W}/lib/queries/x.ts`, use(`../../${from}`)],
    ],
  ),
  ['a route goes around an address', `${W}/routes/x.ts`, use('../features/keys/keys-page.tsx')],
  ['fetch is called outside lib/', `${W}/features/keys/x.ts`, "export const load = () => fetch('/api');\n"],
];

const allowed: [string, string, string][] = [
  ['the app imports features', `${S}/app.ts`, use('#features/products')],
  ['the platform is the base of what stands above it', `${S}/base.ts`, use('#platform/clock.ts')],
  ['a backup uses the config', `${S}/backup/x.ts`, use('../config.ts')],
  ['the contract uses a feature’s face', `${S}/contract/x.ts`, use('#features/webhooks')],
  ['the config reads the environment', `${S}/config.ts`, 'export const x = process.env.HOME;\n'],
  ['a feature uses another’s face', `${F}/x.service.ts`, use('#features/products')],
  ['a feature uses the face of one that is named like a folder', `${F}/x.service.ts`, use('#features/audit')],
  ['a feature uses the platform', `${F}/x.service.ts`, use('#platform/errors.ts')],
  ['a feature uses its own files', `${F}/x.ts`, use('./codes.ts')],
  ['a feature uses its own folders', `${F}/x.ts`, use('./standing/x.ts')],
  ['a folder of a feature uses what lies beside it', `${ROOM}/x.ts`, use('../licensing.entity.ts')],
  ['a folder of a feature uses another folder of it', `${ROOM}/x.ts`, use('../seats/seats.ts')],
  ['a folder named like a feature is used by its neighbors', `${S}/features/payouts/seal/x.ts`, use('../audit/x.ts')],
  ['a schema uses the schemas of another folder', `${ROOM}/x.schemas.ts`, use('../rules/license-fields.ts')],
  ['a folder of a feature uses another feature’s face', `${ROOM}/x.ts`, use('#features/serials')],
  ['a folder of a feature uses the platform', `${ROOM}/x.ts`, use('#platform/db/database.ts')],
  ['a folder of the platform uses what lies beside it', `${S}/platform/db/x.ts`, use('../clock.ts')],
  ['a service uses queries', `${F}/x.service.ts`, use('./serials.queries.ts')],
  ['routes use fastify', `${F}/x.routes.ts`, use('fastify')],
  ['what is named for HTTP uses fastify', `${ROOM}/x.http.ts`, use('fastify')],
  ['a call uses what is named for HTTP', `${ROOM}/x.call.ts`, use('../requests/x.http.ts')],
  ['a call asks the database', `${ROOM}/x.call.ts`, use('../seats/seats.queries.ts')],
  ['a call uses another', `${ROOM}/x.call.ts`, use('./validate.call.ts')],
  ['a service builds on a call', `${ROOM}/x.service.ts`, use('./validate.call.ts')],
  ['routes use what knows HTTP', `${F}/x.routes.ts`, use('./x.http.ts')],
  ['a face uses fastify', `${F}/index.ts`, use('fastify')],
  ['a face uses routes', `${F}/index.ts`, use('./serials.routes.ts')],
  ['a schema uses zod', `${F}/x.schemas.ts`, use('zod')],
  ['a schema uses another feature’s face', `${F}/x.schemas.ts`, use('#features/products')],
  ['a rule throws the platform’s errors', `${F}/x-rules.ts`, use('#platform/errors.ts')],
  ['a test looks into another feature', `${F}/x.test.ts`, use('../products/products.entity.ts')],
  ['the terminal client uses the SDK', `${C}/x.ts`, use('@tonerow/sdk')],
  ['the terminal client uses parts of the SDK', `${C}/x.ts`, use('@tonerow/sdk/operations')],
  ['a command uses what is in src', `${C}/commands/deals/x.ts`, use('#define-command.ts')],
  ['a command uses the command of another noun', `${C}/commands/deals/x.ts`, use('../resellers/x.ts')],
  ['ui/ uses Ink', `${C}/ui/x.ts`, use('ink')],
  ['what loads ui/ later knows its types', `${C}/commands/x.ts`, "export type Ui = typeof import('#ui/live.tsx');\n"],
  ['a feature of the dashboard uses primitives', `${W}/features/keys/x.ts`, use('#ui/button.tsx')],
  [
    'a feature of the dashboard shows examples',
    `${W}/features/keys/x.ts`,
    use('../../../../../examples/curl/x.sh?raw'),
  ],
  ['a part of a feature uses what its parts share', `${F_WEB}/generate/x.ts`, use('../code-link.tsx')],
  ['a part of a feature uses primitives', `${F_WEB}/generate/x.ts`, use('#ui/button.tsx')],
  ['a part of a feature uses widgets', `${F_WEB}/generate/x.ts`, use('#widgets/product-picker.tsx')],
  ['a feature uses its parts', `${F_WEB}/x.ts`, use('./generate/generator.tsx')],
  ['a primitive uses what holds no data', `${W}/ui/x.ts`, use('#lib/money.ts')],
  ['a widget uses primitives', `${W}/widgets/x.ts`, use('#ui/button.tsx')],
  ['a widget asks for data', `${W}/widgets/x.ts`, use('#lib/api.ts')],
  ['a route of the dashboard uses features', `${W}/routes/x.ts`, use('#features/keys/keys-page.tsx')],
  ['lib/ uses the SDK and fetch', `${W}/lib/x.ts`, `${use('@tonerow/sdk')}export const load = () => fetch('/api');\n`],
];

const placeOf = (kind: 'no' | 'yes', index: number, file: string) => `${kind}-${index}/${file}`;
let planted: Awaited<ReturnType<typeof plantFiles>>;
let messagesOf: (file: string) => string[];

beforeAll(async () => {
  const config = JSON.parse(await readFile('biome.json', 'utf8'));
  const anywhere = (glob: string) => glob.replace(/^(!?)(packages|migrations)/, '$1**/$2');
  for (const override of config.overrides) {
    override.includes = override.includes.map(anywhere);
    override.plugins = override.plugins?.map((plugin: string) => path.resolve(plugin));
  }
  for (const fence of config.plugins) {
    fence.includes = fence.includes.map(anywhere);
    fence.path = path.resolve(fence.path);
  }
  const manifest = await readFile('packages/server/package.json', 'utf8');
  const files = new Map([
    ...refused.map(([, file, source], index) => [placeOf('no', index, file), source] as const),
    ...allowed.map(([, file, source], index) => [placeOf('yes', index, file), source] as const),
    [`cycle/${S}/platform/x.ts`, "import { b } from './y.ts';\n\nexport const a = () => b;\n"],
    [`cycle/${S}/platform/y.ts`, "import { a } from './x.ts';\n\nexport const b = () => a;\n"],
    ['cycle/packages/server/package.json', manifest],
    [`cycle/${S}/features/a/index.ts`, "import { b } from '#features/b';\n\nexport const a = () => b;\n"],
    [`cycle/${S}/features/b/index.ts`, "import { c } from '#platform/db/c.ts';\n\nexport const b = () => c;\n"],
    [`cycle/${S}/platform/db/c.ts`, "import { a } from '#features/a';\n\nexport const c = () => a;\n"],
  ]);
  planted = await plantFiles({ ...config, $schema: undefined, vcs: { enabled: false } }, files);
  messagesOf = await planted.lint();
});
afterAll(() => planted.remove());

describe('the linter refuses when', () => {
  it.each(refused.map(([what, file], index) => ({ what, file: placeOf('no', index, file) })))('$what', ({ file }) => {
    expect(messagesOf(file)).toContainEqual(expect.stringMatching(/^plugin$|noProcessEnv|noRestrictedGlobals/));
  });

  it('two files import each other', () => {
    expect(messagesOf(`cycle/${S}/platform/x.ts`)).toContain('lint/suspicious/noImportCycles');
  });

  it.each(['features/a/index.ts', 'features/b/index.ts', 'platform/db/c.ts'])(
    'files import each other by their addresses: %s',
    (file) => {
      expect(messagesOf(`cycle/${S}/${file}`)).toContain('lint/suspicious/noImportCycles');
    },
  );
});

describe('the linter allows that', () => {
  it.each(allowed.map(([what, file], index) => ({ what, file: placeOf('yes', index, file) })))('$what', ({ file }) => {
    expect(messagesOf(file)).toEqual([]);
  });
});
