/**
 * The parts that others build on, and whose changes a changelog has to name: operations of the API with their fields,
 * commands and options of the terminal.
 * Run by itself it prints them; it needs the SDK's sources: `node --conditions=@tonerow/source scripts/release/surface.ts`.
 */
import { readFileSync } from 'node:fs';
import { type Contract, routesOf } from '../../packages/sdk/generator/contract.ts';

export interface Surface {
  /** Such as `POST /api/products`. */
  operations: string[];
  /** The names of what they take and answer, such as `support_url`. */
  fields: string[];
  /** Such as `tonerow products list`, each with the options that not all have; those are at `tonerow`. */
  commands: Record<string, string[]>;
}

/** That of this tree. @param known only the fields of these operations: those of a new one come with it */
export async function surface(known?: readonly string[]): Promise<Surface> {
  const [{ commands }, { EVERYWHERE, nameOf, optionsOf }] = await Promise.all([
    import('../../packages/cli/src/commands/index.ts'),
    import('../../packages/cli/src/define/options.ts'),
  ]);
  const contract = JSON.parse(
    readFileSync(new URL('../../packages/sdk/openapi.json', import.meta.url), 'utf8'),
  ) as Contract;
  const flagsOf = (options: readonly { flags: string }[]) => options.map(({ flags }) => nameOf(flags)).sort();
  const everywhere = flagsOf(EVERYWHERE);
  const named: [string, string[]][] = commands.map((command) => [
    `tonerow ${command.path}`,
    flagsOf(optionsOf(command)).filter((flag) => !everywhere.includes(flag)),
  ]);
  const operations = new Map(routesOf(contract).map((route) => [`${route.method.toUpperCase()} ${route.url}`, route]));
  const looked = [...operations].filter(([name]) => known?.includes(name) ?? true).map(([, route]) => route);
  return {
    operations: [...operations.keys()].sort(),
    fields: [...fieldsIn(contract, looked)].sort(),
    commands: Object.fromEntries([['tonerow', everywhere], ...named.sort()]),
  };
}

/** The names of parameters and properties, at every depth. */
function fieldsIn(contract: Contract, looked: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  const followed = new Set<unknown>();
  for (const left = [...looked]; left.length > 0; ) {
    const value = left.pop();
    if (value === null || typeof value !== 'object' || followed.has(value)) continue;
    followed.add(value);
    const { $ref, properties, name, in: where } = value as Record<string, unknown>;
    if (typeof $ref === 'string') left.push(targetOf(contract, $ref));
    if (typeof name === 'string' && typeof where === 'string') names.add(name);
    for (const each of Object.keys(properties ?? {})) names.add(each);
    for (const [key, inside] of Object.entries(value)) if (!/^examples?$/.test(key)) left.push(inside);
  }
  return names;
}

const targetOf = (contract: Contract, ref: string): unknown =>
  ref
    .slice('#/'.length)
    .split('/')
    .reduce((place: unknown, name) => (place as Record<string, unknown>)[name], contract);

/**
 * The parts that are new or gone since a release and that this text does not name in code: `POST /api/products` or its
 * path, `support_url`, `tonerow products list`, `--all`. A word that ends with `…` names all that begin like it:
 * `tonerow trust …`.
 */
export function undocumented(before: Surface, now: Surface, text: string): string[] {
  const words = [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  const names = (name: string) =>
    words.some((word) =>
      word.endsWith('…') ? name.startsWith(word.slice(0, -1)) : word === name || word.startsWith(`${name} `),
    );
  const differing = (a: readonly string[], b: readonly string[]) => [
    ...a.filter((each) => !b.includes(each)),
    ...b.filter((each) => !a.includes(each)),
  ];
  const operations = differing(before.operations, now.operations).filter(
    (each) => !names(each) && !names(each.split(' ')[1] as string),
  );
  const commands = differing(Object.keys(before.commands), Object.keys(now.commands)).filter((each) => !names(each));
  const options = Object.keys(now.commands)
    .filter((each) => each in before.commands)
    .flatMap((each) => differing(before.commands[each] ?? [], now.commands[each] ?? []).map((flag) => [each, flag]))
    .filter(([, flag = '']) => !words.some((word) => word.split(/[ =]/).includes(flag)))
    .map((pair) => pair.join(' '));
  const parts = new Set(words.flatMap((word) => word.split(/[^\w-]+/)));
  const fields = differing(before.fields, now.fields).filter((each) => !parts.has(each));
  return [...operations, ...fields, ...commands, ...options];
}

if (import.meta.main) process.stdout.write(JSON.stringify(await surface()));
