import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';

const root = path.resolve(import.meta.dirname, '../..');

/** How npm marks what it takes for a tool of the development, and what is in the archive all the same. */
const DEVELOPMENT = 'cdx:npm:package:development';

type Component = { 'bom-ref': string; name: string; version: string; properties?: { name: string }[] | undefined };

/** The parts of an archive in the format of CycloneDX. npm lists them, and we read and change only these fields. */
export interface Bill {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { 'bom-ref': string; name: string; version: string } & Record<string, unknown> } & Record<
    string,
    unknown
  >;
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

type Packed = 'cli' | 'sdk' | 'server';

type Needs = Record<string, string>;

interface Manifest {
  name: string;
  version: string;
  dependencies?: Needs;
  devDependencies?: Needs;
  optionalDependencies?: Needs;
}

/**
 * The parts of each archive: the packages it installs, and those that were built into it, which npm takes for tools of
 * its development.
 */
export async function billOf(name: Packed): Promise<Bill> {
  const of = async (folder: string) =>
    JSON.parse(await readFile(path.join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest;
  const [server, web, cli, sdk] = await Promise.all([of('server'), of('web'), of('cli'), of('sdk')]);
  const inSdk = some(sdk.devDependencies, ['eventsource-parser']);
  const inCli = { ...cli.devDependencies, ...some(sdk.devDependencies, ['eventsource-parser', 'undici']) };
  const inServer = {
    ...server.dependencies,
    ...server.optionalDependencies,
    ...web.dependencies,
    ...some(web.devDependencies, ['@scalar/fastify-api-reference']),
    ...inCli,
  };
  const [own, inside] = { sdk: [sdk, inSdk], cli: [cli, inCli], server: [server, inServer] }[name] as [Manifest, Needs];
  const ours = Object.entries(inside).filter(([each]) => !each.startsWith('@tonerow/'));
  return only(
    await listed(),
    own,
    ours.map((pair) => pair.join('@')),
  );
}

function some(needs: Needs | undefined, names: readonly string[]): Needs {
  return Object.fromEntries(
    names.map((name) => {
      const version = needs?.[name];
      if (!version) throw new Error(`${name} is not needed any more.`);
      return [name, version];
    }),
  );
}

/** Everything of every package, as npm knows it from the lock file. */
async function listed(): Promise<Bill> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_')));
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const { stdout } = await execa('npm', words, { cwd: root, env, extendEnv: false });
  return JSON.parse(stdout) as Bill;
}

/**
 * The part of a bill that these packages, such as `react@19.3.1`, and what they need in turn make.
 * @throws {Error} when one of them is not in it.
 */
export function only(bill: Bill, own: Manifest, roots: readonly string[]): Bill {
  const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const known = new Set(bill.components.map((component) => component['bom-ref']));
  const missing = roots.filter((ref) => !known.has(ref));
  if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}.`);
  const kept = new Set<string>();
  for (const left = [...roots]; left.length > 0; ) {
    const ref = left.pop() as string;
    if (kept.has(ref)) continue;
    kept.add(ref);
    left.push(...(needs.get(ref) ?? []));
  }
  const ref = `${own.name}@${own.version}`;
  const { component } = bill.metadata;
  return {
    ...bill,
    metadata: {
      ...bill.metadata,
      component: {
        ...component,
        'bom-ref': ref,
        name: own.name,
        version: own.version,
        purl: `pkg:npm/${own.name.replace('@', '%40')}@${own.version}`,
      },
    },
    components: bill.components
      .filter((each) => kept.has(each['bom-ref']))
      .map(({ properties, ...each }) => ({
        ...each,
        properties: properties?.filter(({ name }) => name !== DEVELOPMENT),
      })),
    dependencies: [{ ref, dependsOn: roots.toSorted() }, ...bill.dependencies.filter((each) => kept.has(each.ref))],
  };
}
