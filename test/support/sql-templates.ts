import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** A node of TypeScript's syntax. */
export interface Node {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: nodes of every kind
  [part: string]: any;
}

export function parsed(source: string): Node {
  const { program, errors } = parseSync('source.ts', source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return program as unknown as Node;
}

export function visit(node: Node, each: (node: Node) => void): void {
  each(node);
  for (const part of Object.values(node))
    for (const child of Array.isArray(part) ? part : [part])
      if (child && typeof child.type === 'string') visit(child, each);
}

/** Which columns tables have, and whether they may be null. */
export type Nullables = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

interface Snapshot {
  tables: { name: string; columns: Record<string, { nullable: boolean }> }[];
}

/** The tables as the newest migration leaves them. */
export function migratedTables(): Nullables {
  const { tables } = JSON.parse(readFileSync('migrations/snapshot.json', 'utf8')) as Snapshot;
  return new Map(
    tables.map(({ name, columns }) => [
      name,
      new Map(Object.entries(columns).map(([column, { nullable }]) => [column, nullable])),
    ]),
  );
}

const SOURCES = 'packages/server/src';

/** Sources of the server, without tests. */
export function serverSources(): { file: string; source: string }[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, source: readFileSync(path.join(SOURCES, file), 'utf8') }));
}

const COLUMNS = String.raw`'(\w+)\.(\w+)', '(\w+)\.(\w+)'\)}`;
const JOIN = new RegExp(String.raw`\$\{own(Left)?Join\('(\w+) as (\w+)', ${COLUMNS}`, 'g');
const MATCH = new RegExp(String.raw`\$\{ownMatch\(${COLUMNS}`, 'g');
const matched = (a: string, own: string, b: string, other: string) =>
  `(${a}.developer_id, ${a}.${own}) = (${b}.developer_id, ${b}.${other})`;

/** A source whose templates have the joins and matches of `platform/db/tenant.ts` as SQL, on the same lines. */
export function writtenOut(source: string): string {
  return source
    .replace(
      JOIN,
      (_, left, table, alias, a, own, b, other) =>
        `${left ? 'left ' : ''}join ${table} ${alias} on ${matched(a, own, b, other)}`,
    )
    .replace(MATCH, (_, a, own, b, other) => matched(a, own, b, other));
}
