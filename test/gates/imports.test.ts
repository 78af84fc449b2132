import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plantFiles } from '../support/planted.ts';

const use = (from: string) => `import * as planted from '${from}';\n\nexport const used = planted;\n`;
const S = 'packages/server/src';
const F = `${S}/features/serials`;
/** A folder inside a feature. */
const ROOM = `${S}/features/licensing/v1`;
const C = 'packages/cli/src';
const W = 'packages/web/src';
const F_WEB = `${W}/features/serials`;

/** [what, where it is planted, its source] */
const refused: [string, string, string][] = [
  ['the SDK imports the server', 'packages/sdk/src/x.ts', use('../../server/src/config.ts')],
  ['the SDK imports a package of ours', 'packages/sdk/src/x.ts', use('@tonerow/cli')],
  ['the server imports the SDK', `${S}/x.ts`, use('@tonerow/sdk')],
  ['the platform imports the SDK', `${S}/platform/x.ts`, use('../../../sdk/src/index.ts')],
  ['a feature imports the SDK', `${F}/x.ts`, use('../../../../sdk/src/index.ts')],
  ['a service imports the terminal client', `${F}/x.service.ts`, use('../../../../cli/src/main.ts')],
  ['a schema imports the dashboard', `${F}/x.schemas.ts`, use('../../../../web/src/lib/api.ts')],

  ['the platform imports a feature', `${S}/platform/x.ts`, use('../features/products/index.ts')],
  ['the platform imports the config', `${S}/platform/db/x.ts`, use('../../config.ts')],
  ['the platform imports the composition root', `${S}/platform/x.ts`, use('../deps.ts')],
  ['a feature imports the composition root', `${F}/x.ts`, use('../../deps.ts')],
  ['a feature imports the app', `${F}/x.routes.ts`, use('../../app.ts')],
  ['the app imports what starts it', `${S}/app.ts`, use('./main.ts')],
  ['the composition root imports what starts it', `${S}/deps.ts`, use('./serve.ts')],
  ['a feature reaches into another', `${F}/x.ts`, use('../products/products.entity.ts')],
  ['a service reaches into another feature', `${F}/x.service.ts`, use('../products/products.service.ts')],
  ['routes reach into another feature', `${F}/x.routes.ts`, use('../products/products.schemas.ts')],
  ['queries reach into another feature', `${F}/x.queries.ts`, use('../products/products.entity.ts')],
  ['a feature reaches into a folder of another', `${F}/x.ts`, use('../licensing/seats/take.ts')],
  ['a folder of a feature reaches into another feature', `${ROOM}/x.ts`, use('../../serials/generate/codes.ts')],
  [
    'a service in a folder reaches into another feature',
    `${ROOM}/x.service.ts`,
    use('../../serials/serials.service.ts'),
  ],
  ['a folder of a feature imports the composition root', `${ROOM}/x.ts`, use('../../../deps.ts')],
  ['a service in a folder imports fastify', `${ROOM}/x.service.ts`, use('fastify')],
  ['a schema imports a service of another folder', `${ROOM}/x.schemas.ts`, use('../key-files/juce.service.ts')],
  ['a feature reaches into another the long way', `${F}/x.ts`, use('../../features/products/products.entity.ts')],

  ['routes read the database themselves', `${F}/x.routes.ts`, use('./serials.queries.ts')],
  ['a service imports its routes', `${F}/x.service.ts`, use('./serials.routes.ts')],
  ['a service imports fastify', `${F}/x.service.ts`, use('fastify')],
  ['a service imports a plugin of fastify', `${F}/x.service.ts`, use('@fastify/jwt')],
  ['an entity imports its service', `${F}/x.entity.ts`, use('./serials.service.ts')],
  ['queries import their service', `${F}/x.queries.ts`, use('./serials.service.ts')],
  ['a schema imports its service', `${F}/x.schemas.ts`, use('./serials.service.ts')],
  ['a schema imports an entity', `${F}/x.schemas.ts`, use('./serials.entity.ts')],
  ['a rule asks the database', `${F}/x-rules.ts`, use('pg')],
  ['a rule imports an entity', `${F}/x-rules.ts`, use('./serials.entity.ts')],
  ['a rule reads a file', `${F}/x-rules.ts`, use('node:fs/promises')],

  ['the server reads the environment outside its config', `${S}/platform/x.ts`, 'export const x = process.env.HOME;\n'],
  [
    'the environment comes in by import',
    `${S}/platform/x.ts`,
    `import { env } from 'node:process';\n\nexport const x = env.HOME;\n`,
  ],
  ['the SDK reads the environment', 'packages/sdk/src/x.ts', 'export const x = process.env.HOME;\n'],
  ['a command reads the environment', `${C}/commands/x.ts`, 'export const x = process.env.HOME;\n'],

  ['the terminal client imports the server', `${C}/x.ts`, use('../../server/src/config.ts')],
  ['the terminal client imports the dashboard', `${C}/x.ts`, use('@tonerow/web')],
  ['the terminal client goes around the name of the SDK', `${C}/x.ts`, use('../../sdk/src/index.ts')],
  ['Ink is loaded outside ui/', `${C}/commands/x.ts`, use('ink')],
  ['React is loaded outside ui/', `${C}/commands/x.ts`, use('react/jsx-runtime')],
  ['ui/ is loaded before it is shown', `${C}/commands/x.ts`, use('../ui/live.tsx')],

  ['the dashboard imports the server', `${W}/features/keys/x.ts`, use('@tonerow/server')],
  ['the dashboard goes around the name of the SDK', `${W}/lib/x.ts`, use('../../../sdk/src/index.ts')],
  ['a feature of the dashboard imports another', `${W}/features/keys/x.ts`, use('../products/product-schema.ts')],
  ['a feature of the dashboard imports a route', `${W}/features/keys/x.ts`, use('../../routes/__root.tsx')],
  ['a primitive imports a feature', `${W}/ui/x.ts`, use('../features/keys/keys-page.tsx')],
  ['a primitive holds data', `${W}/ui/x.ts`, use('../lib/api.ts')],
  ['a primitive asks for data', `${W}/ui/x.ts`, use('@tanstack/react-query')],
  ['a primitive listens to live events', `${W}/ui/x.ts`, use('../lib/live.ts')],
  ['a primitive imports a widget', `${W}/ui/x.ts`, use('../widgets/product-picker.tsx')],
  ['a widget imports a feature', `${W}/widgets/x.ts`, use('../features/keys/keys-query.ts')],
  ['a part of a feature imports another', `${F_WEB}/generate/x.ts`, use('../available/available.tsx')],
  ['a part of a feature imports another feature', `${F_WEB}/generate/x.ts`, use('../../keys/keys-query.ts')],
  ['lib/ imports a widget', `${W}/lib/x.ts`, use('../widgets/product-picker.tsx')],
  ['lib/ imports a feature', `${W}/lib/x.ts`, use('../features/keys/keys-page.tsx')],
  ['lib/ imports a primitive', `${W}/lib/x.ts`, use('../ui/button.tsx')],
  ['fetch is called outside lib/', `${W}/features/keys/x.ts`, "export const load = () => fetch('/api');\n"],
];

const allowed: [string, string, string][] = [
  ['the app imports features', `${S}/app.ts`, use('./features/products/index.ts')],
  ['the config reads the environment', `${S}/config.ts`, 'export const x = process.env.HOME;\n'],
  ['a feature uses another’s face', `${F}/x.service.ts`, use('../products/index.ts')],
  ['a feature uses the platform', `${F}/x.service.ts`, use('../../platform/errors.ts')],
  ['a feature uses its own files', `${F}/x.ts`, use('./codes.ts')],
  ['a folder of a feature uses another folder of it', `${ROOM}/x.ts`, use('../seats/take.ts')],
  ['a schema uses the schemas of another folder', `${ROOM}/x.schemas.ts`, use('../rules/license-fields.ts')],
  ['a folder of a feature uses another feature’s face', `${ROOM}/x.ts`, use('../../serials/index.ts')],
  ['a folder of a feature uses the platform', `${ROOM}/x.ts`, use('../../../platform/db/database.ts')],
  ['a service uses queries', `${F}/x.service.ts`, use('./serials.queries.ts')],
  ['routes use fastify', `${F}/x.routes.ts`, use('fastify')],
  ['a schema uses zod', `${F}/x.schemas.ts`, use('zod')],
  ['a rule throws the platform’s errors', `${F}/x-rules.ts`, use('../../platform/errors.ts')],
  ['the terminal client uses the SDK', `${C}/x.ts`, use('@tonerow/sdk')],
  ['ui/ uses Ink', `${C}/ui/x.ts`, use('ink')],
  ['a feature of the dashboard uses primitives', `${W}/features/keys/x.ts`, use('../../ui/button.tsx')],
  ['a part of a feature uses what its parts share', `${F_WEB}/generate/x.ts`, use('../code-link.tsx')],
  ['a part of a feature uses primitives', `${F_WEB}/generate/x.ts`, use('../../../ui/button.tsx')],
  ['a part of a feature uses widgets', `${F_WEB}/generate/x.ts`, use('../../../widgets/product-picker.tsx')],
  ['a feature uses its parts', `${F_WEB}/x.ts`, use('./generate/generator.tsx')],
  ['a widget uses primitives', `${W}/widgets/x.ts`, use('../ui/button.tsx')],
  ['a widget asks for data', `${W}/widgets/x.ts`, use('../lib/api.ts')],
  ['a route of the dashboard uses features', `${W}/routes/x.ts`, use('../features/keys/keys-page.tsx')],
  ['lib/ uses the SDK and fetch', `${W}/lib/x.ts`, `${use('@tonerow/sdk')}export const load = () => fetch('/api');\n`],
];

const placeOf = (kind: 'no' | 'yes', index: number, file: string) => `${kind}-${index}/${file}`;
let planted: Awaited<ReturnType<typeof plantFiles>>;
let saidOf: (file: string) => string[];

beforeAll(async () => {
  const config = JSON.parse(await readFile('biome.json', 'utf8'));
  const anywhere = (glob: string) => glob.replace(/^(!?)(packages|migrations)/, '$1**/$2');
  for (const override of config.overrides) {
    override.includes = override.includes.map(anywhere);
    override.plugins = override.plugins?.map((plugin: string) => path.resolve(plugin));
  }
  const files = new Map([
    ...refused.map(([, file, source], index) => [placeOf('no', index, file), source] as const),
    ...allowed.map(([, file, source], index) => [placeOf('yes', index, file), source] as const),
    [`cycle/${S}/platform/x.ts`, "import { b } from './y.ts';\n\nexport const a = () => b;\n"],
    [`cycle/${S}/platform/y.ts`, "import { a } from './x.ts';\n\nexport const b = () => a;\n"],
    [`types/${S}/platform/x.ts`, "import type { B } from './y.ts';\n\nexport interface A {\n  b?: B;\n}\n"],
    [`types/${S}/platform/y.ts`, "import type { A } from './x.ts';\n\nexport interface B {\n  a?: A;\n}\n"],
  ]);
  planted = await plantFiles({ ...config, $schema: undefined, vcs: { enabled: false } }, files);
  saidOf = await planted.lint();
});
afterAll(() => planted.remove());

describe('the linter refuses when', () => {
  it.each(refused.map(([what, file], index) => ({ what, file: placeOf('no', index, file) })))('$what', ({ file }) => {
    expect(saidOf(file)).toContainEqual(expect.stringMatching(/noRestrictedImports|noProcessEnv|noRestrictedGlobals/));
  });

  it.each(['cycle', 'types'])('two files import each other: %s', (kind) => {
    expect(saidOf(`${kind}/${S}/platform/x.ts`)).toContain('lint/suspicious/noImportCycles');
  });
});

describe('the linter allows that', () => {
  it.each(allowed.map(([what, file], index) => ({ what, file: placeOf('yes', index, file) })))('$what', ({ file }) => {
    expect(saidOf(file)).toEqual([]);
  });
});
