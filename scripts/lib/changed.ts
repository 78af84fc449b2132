/**
 * Finds the tests that a change can have broken: `npm test -- --changed`. A commit still has to pass the whole suite.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { TEST_SUPPORT } from './kinds.ts';

interface Rule {
  /** The files that it is about, by their path below the root. */
  changed: RegExp;
  /** Globs of test files; `$1` is what the first parentheses of `changed` matched. */
  tests: readonly string[];
  /** Also the tests that import the file, directly or through others. */
  importers?: true;
}

const SERVER = 'packages/server/src';
const WEB = 'packages/web/src';
const everyTest = (folder: string) => `${folder}/**/*.test.{ts,tsx}`;

/** Tests that any change of a feature can break besides its own: who may do what, whose tables, whose rows. */
const FEATURE_GATES = [
  'test/access/**/*.test.ts',
  'test/gates/{clock,contract,generated,left-behind,money,mutants,table-owners,tenant-first,words}.test.ts',
];
/** Tests of code that all features use. Browser, terminal and resilience are left to the whole suite. */
const EVERYTHING = [everyTest('packages'), 'test/access/**/*.test.ts', 'test/gates/*.test.ts', 'scripts/**/*.test.ts'];

const inBrowser = (...names: string[]) => names.map((name) => `test/browser/${name}.test.ts`);
const inTerminal = (...names: string[]) => names.map((name) => `test/cli/${name}.test.ts`);

/** The browser tests that show a feature of the dashboard, or a part of it. */
const BROWSER: Record<string, readonly string[]> = {
  'features/admin': inBrowser('account-status', 'billing-logs', 'roles'),
  'features/analytics': inBrowser('pictures', 'tables'),
  'features/auth': inBrowser('accounts', 'journeys', 'invites', 'refused'),
  'features/billing': inBrowser('account-status', 'billing', 'billing-logs', 'invoices'),
  'features/branding': inBrowser('musician', 'roles', 'developer-side'),
  'features/catalog': inBrowser('deals', 'reseller-story', 'draws'),
  'features/customers': inBrowser('desk', 'long-lists', 'objects', 'tables'),
  'features/draws': inBrowser('draws'),
  'features/imports': inBrowser('imports'),
  'features/keys': inBrowser('plugin-side', 'tasks', 'undo'),
  'features/logs': inBrowser('long-lists', 'objects', 'developer-side'),
  'features/palette': inBrowser('palette', 'tasks'),
  'features/payouts': inBrowser('payouts', 'reseller-story'),
  'features/products': inBrowser('journeys', 'many-products', 'objects', 'product-table'),
  'features/public': inBrowser('accounts', 'journeys'),
  'features/refusals': inBrowser('plugin-side', 'refused'),
  'features/developers-i-sell': inBrowser('partnerships', 'invites', 'reseller-story'),
  'features/resellers': inBrowser('partnerships', 'invites', 'reseller-story'),
  'features/reseller-sales': inBrowser('sales', 'reseller-story'),
  'features/serials': inBrowser('developer-side', 'long-lists', 'tables', 'undo'),
  'features/settings': inBrowser('accounts', 'cards', 'deletion'),
  'features/shell': inBrowser('roles', 'invites', 'tabs', 'long-lists'),
  'features/shops': inBrowser('shops'),
  'features/till': inBrowser('till'),
  'features/webhooks': inBrowser('webhooks', 'webhook-screens', 'undo'),
  charts: inBrowser('billing', 'pictures'),
  docs: inBrowser('docs', 'budgets'),
  help: inBrowser('help', 'budgets'),
  lib: inBrowser('journeys', 'tasks', 'tables'),
  redeem: inBrowser('redeem', 'musician', 'scripts', 'budgets'),
  routes: inBrowser('screens', 'roles', 'first-steps'),
  styles: inBrowser('contrast', 'screens', 'layout-shift', 'scripts'),
  ui: inBrowser('screens', 'layout-shift', 'scripts', 'tabs', 'tables'),
  widgets: inBrowser('first-steps', 'objects', 'tables', 'tasks'),
};

/** The terminal tests that use the commands of a noun. */
const TERMINAL: Record<string, readonly string[]> = {
  account: inTerminal('accounts', 'journey'),
  analytics: inTerminal('reseller-figures', 'developer-side'),
  announcements: inTerminal('accounts'),
  api: inTerminal('scripting'),
  billing: inTerminal('billing', 'billing-month'),
  'billing-log': inTerminal('server-billing', 'billing-month'),
  branding: inTerminal('musician-side'),
  customers: inTerminal('developer-side', 'desk-ui'),
  deals: inTerminal('deals', 'reseller-month'),
  domains: inTerminal('musician-side'),
  downloads: inTerminal('musician-side', 'desk-ui'),
  draw: inTerminal('shop-workflow'),
  draws: inTerminal('shop-workflow'),
  emails: inTerminal('accounts'),
  export: inTerminal('moving-out'),
  files: inTerminal('developer-side', 'plugin-side'),
  imports: inTerminal('moving-in'),
  invites: inTerminal('invites', 'reseller-month'),
  keys: inTerminal('plugin-side', 'journey'),
  license: inTerminal('plugin-side', 'doctor-build'),
  machines: inTerminal('plugin-side', 'desk-ui'),
  partners: inTerminal('partnerships', 'reseller-month'),
  payouts: inTerminal('reseller-month', 'partnerships'),
  plan: inTerminal('billing', 'billing-month'),
  plugin: inTerminal('plugin-new'),
  products: inTerminal('journey', 'developer-side'),
  redeem: inTerminal('musician-side', 'journey'),
  refund: inTerminal('scripting', 'reseller-month'),
  resellers: inTerminal('partnerships', 'reseller-figures'),
  sales: inTerminal('reseller-figures', 'reseller-month'),
  search: inTerminal('scripting'),
  serials: inTerminal('developer-side', 'lost-answers', 'scripting'),
  session: inTerminal('accounts', 'journey', 'proxies'),
  shops: inTerminal('shops'),
  stock: inTerminal('reseller-figures', 'deals'),
  tokens: inTerminal('accounts'),
  trust: inTerminal('trusts'),
  ui: inTerminal('reseller-ui', 'desk-ui'),
  views: inTerminal('scripting'),
  webhooks: inTerminal('webhooks', 'webhooks-listen'),
};

/** Every rule that fits a file adds its tests. */
export const rules: readonly Rule[] = [
  // tests and what they share
  { changed: /^(.+\.test\.tsx?)$/, tests: ['$1'] },
  {
    changed:
      /^test\/(?!support\/(?:server|database|database-server|browser|global-setup|each-file|isolated|order|where)\.ts$)/,
    tests: [],
    importers: true,
  },
  { changed: /^test\/(examples|packages|vectors)\//, tests: ['test/$1/*.test.ts'] },
  {
    changed: /^test\/vectors\//,
    tests: ['packages/sdk/src/signatures/verify-*.test.ts', 'test/examples/{cpp,hise,plugin}*.test.ts'],
  },
  {
    changed:
      /^test\/support\/(?:server|database|database-server|browser|global-setup|each-file|isolated|order|where)\.ts$/,
    tests: EVERYTHING,
  },

  // the server
  {
    changed: /^packages\/server\/src\/features\/([^/]+)\//,
    tests: [everyTest(`${SERVER}/features/$1`), ...FEATURE_GATES],
  },
  {
    changed: /\.(?:routes|http|schemas)\.ts$/,
    tests: ['test/gates/{operations,private-answers,hostile-input}.test.ts'],
  },
  { changed: /\.entity\.ts$/, tests: ['test/gates/migrations.test.ts'] },
  {
    changed: /^packages\/server\/src\/contract\//,
    tests: ['test/gates/{contract,generated,operations,words}.test.ts'],
  },
  { changed: /^packages\/server\/(?!src\/(?:features|contract)\/)/, tests: EVERYTHING },
  { changed: /^migrations\//, tests: [...EVERYTHING, 'test/resilience/rolling.test.ts'] },

  // the SDK
  {
    changed: /^packages\/sdk\/(?:src|generator|generate\.ts|openapi\.json)/,
    tests: [everyTest('packages/sdk/src'), 'test/gates/{contract,generated,operations,words}.test.ts'],
  },
  {
    changed: /^packages\/sdk\/(?:package\.json|build\.mjs|README\.md|src\/index\.ts|tsconfig.*)$/,
    tests: ['test/packages/*.test.ts'],
  },

  // the terminal client
  { changed: /^packages\/cli\/src\//, tests: ['test/gates/{operations,words}.test.ts'] },
  { changed: /^packages\/cli\/src\/(commands\/[^/]+)\//, tests: [everyTest('packages/cli/src/$1')] },
  ...Object.entries(TERMINAL).map(([noun, tests]) => ({
    changed: new RegExp(`^packages/cli/src/commands/${noun}(?:-reports)?[./]`),
    tests,
  })),
  { changed: /^packages\/cli\/src\/ui\//, tests: inTerminal('desk-ui', 'reseller-ui') },
  {
    changed: /^packages\/cli\/src\/(?:help\/|input\/nearest-word\.ts)/,
    tests: inTerminal('completion', 'man'),
  },
  {
    changed: /^packages\/cli\/(?!src\/(?:commands\/[^/]+\/|ui\/|help\/|input\/nearest-word\.ts))/,
    tests: [everyTest('packages/cli/src'), 'test/cli/*.test.ts'],
  },
  { changed: /^packages\/cli\/src\/commands\/plans\.ts$/, tests: inTerminal('billing') },

  // the dashboard
  {
    changed: /^packages\/web\/src\//,
    tests: ['test/gates/{web-layers,words,download-page-texts}.test.ts'],
    importers: true,
  },
  { changed: /^packages\/web\/src\/(features\/[^/]+)\//, tests: [everyTest(`${WEB}/$1`)] },
  ...Object.entries(BROWSER).map(([part, tests]) => ({ changed: new RegExp(`^${WEB}/${part}/`), tests })),
  {
    changed: /^packages\/web\/(?!src\/[^/]+\/)/,
    tests: [everyTest(WEB), ...inBrowser('budgets', 'journeys', 'screens'), 'test/gates/web-layers.test.ts'],
  },
  { changed: /^packages\/sdk\/src\/signatures\/verify-webhook\.ts$/, tests: inBrowser('verify-webhook') },

  // files that are read and copied
  { changed: /^(?:packages|scripts)\/plugin\//, tests: ['test/examples/plugin.test.ts'] },
  { changed: /^examples\//, tests: ['test/examples/*.test.ts', `${WEB}/features/keys/*.test.ts`] },
  { changed: /^docs\/guides\//, tests: ['test/guides/*.test.ts', ...inBrowser('help')] },
  { changed: /\.md$/, tests: ['test/gates/{words,deploy}.test.ts'] },
  { changed: /^docs\/(?!guides\/)/, tests: ['test/gates/words.test.ts'] },
  {
    changed: /^deploy\//,
    tests: ['test/gates/{deploy,figures}.test.ts', 'test/resilience/{image,certificate-asks}.test.ts'],
  },

  // tools
  { changed: /^(?:biome\.json|scripts\/lint\/.*)$/, tests: ['test/gates/{checks,imports,test-lint,tools}.test.ts'] },
  { changed: /^(?:knip\.json|\.editorconfig|\.vscode\/.*)$/, tests: ['test/gates/tools.test.ts'] },
  { changed: /^scripts\//, tests: ['test/gates/tools.test.ts'], importers: true },
  { changed: /^scripts\/mutants\//, tests: ['test/gates/mutants.test.ts'] },
  {
    changed: /^scripts\/vectors/,
    tests: ['test/examples/cpp.test.ts', 'packages/sdk/src/signatures/verify-*.test.ts'],
  },
  {
    changed:
      /^(?:(?:packages\/[^/]+\/)?package\.json|package-lock\.json|tsconfig\.json|vitest\.config\.ts|\.ci\/.*|\.gitignore|\.dockerignore)$/,
    tests: EVERYTHING,
  },
  { changed: /^scripts\/(?:bootstrap\.mjs|test\.ts|lib\/(?:build|install|alone|kinds)\.)/, tests: EVERYTHING },
];

export interface Chosen {
  /** Each test file with why it runs. */
  files: Map<string, string>;
  /** Files whose importers' tests run as well. */
  related: string[];
  /** Files that no rule is about: everything may have changed. */
  unknown: string[];
}

/** The tests that the rules choose for these files. */
export function testsFor(changed: readonly string[], tests: readonly string[]): Chosen {
  const chosen: Chosen = { files: new Map(), related: [], unknown: [] };
  const add = (globs: readonly string[], why: string) => {
    for (const file of tests)
      if (!chosen.files.has(file) && globs.some((glob) => file === glob || path.posix.matchesGlob(file, glob)))
        chosen.files.set(file, why);
  };
  for (const file of changed) {
    const fitting = rules.filter((rule) => rule.changed.test(file));
    if (fitting.some(({ importers }) => importers)) chosen.related.push(file);
    for (const rule of fitting) {
      const part = rule.changed.exec(file)?.[1] ?? '';
      add(
        rule.tests.map((glob) => glob.replaceAll('$1', () => part)),
        file,
      );
    }
    if (fitting.length > 0) continue;
    chosen.unknown.push(file);
    add(EVERYTHING, file);
  }
  return chosen;
}

/**
 * The test files that what changed in a working tree since a commit can have broken, each with the file because of which.
 *
 * @example await changedTests(root) // Map { 'test/gates/words.test.ts' => 'README.md', … }
 */
export async function changedTests(root: string, since = 'HEAD'): Promise<Map<string, string>> {
  const git = async (...args: string[]) =>
    (await execa('git', args, { cwd: root })).stdout.split('\0').filter((file) => file !== '');
  const added = await git('ls-files', '-z', '--others', '--exclude-standard');
  const changed = [...(await git('diff', '--name-only', '-z', '--no-renames', since)), ...added];
  if (changed.length === 0) return new Map();
  const sources = sourcesIn(root);
  const tests = sources.filter((file) => /\.test\.tsx?$/.test(file));
  const { files, related } = testsFor(changed, tests);
  if (related.length === 0) return files;
  const importers = importersIn(root, sources);
  for (const start of related)
    for (const file of reached(start, importers)) if (tests.includes(file) && !files.has(file)) files.set(file, start);
  return files;
}

/** The files that tests are made of. The server's sources are not followed, because everything imports the app. */
function sourcesIn(root: string): string[] {
  const folders = [
    'test',
    'scripts',
    ...readdirSync(path.join(root, 'packages'))
      .map((name) => `packages/${name}/src`)
      .filter((folder) => existsSync(path.join(root, folder))),
  ];
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => /\.(tsx?|mjs)$/.test(file)),
  );
}

/** The files that import each file. */
function importersIn(root: string, sources: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  const addressed = addressesOf(root);
  for (const file of sources) {
    if (file.startsWith(`${SERVER}/`) && !file.includes('.test.')) continue;
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [, target = ''] of text.matchAll(/(?:\bfrom|\bimport\(?|new URL\()\s*['"]([.#@][^'"]+)['"]/g)) {
      const imported = target.startsWith('.')
        ? path.posix.join(path.posix.dirname(file), target)
        : addressed(file, target);
      if (imported) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/** Resolves the addresses of decision 0103: what a package imports from itself by `#`, and the helpers of the tests. */
function addressesOf(root: string): (file: string, address: string) => string | undefined {
  const packages = readdirSync(path.join(root, 'packages')).map((name) => {
    const manifest = path.join(root, 'packages', name, 'package.json');
    const { imports = {} } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
    return { folder: `packages/${name}/`, imports: Object.entries(imports as Record<string, string>) };
  });
  return (file, address) => {
    if (address.startsWith(TEST_SUPPORT)) return `test/support/${address.slice(TEST_SUPPORT.length)}`;
    const own = packages.find(({ folder }) => file.startsWith(folder));
    for (const [pattern, place] of own?.imports ?? []) {
      const start = pattern.slice(0, -1);
      if (address.startsWith(start))
        return path.posix.join(
          own?.folder ?? '',
          place.replace('*', () => address.slice(start.length)),
        );
    }
    return undefined;
  };
}

function reached(start: string, importers: ReadonlyMap<string, string[]>): Set<string> {
  const found = new Set([start]);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return found;
}
