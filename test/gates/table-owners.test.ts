// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources of templates
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { foreignUse, knownTables as known } from '@tonerow/test-support/owners.ts';
import { tableUses } from '@tonerow/test-support/table-use.ts';
import { lent, readers, tables } from '@tonerow/test-support/tables.ts';
import { describe, expect, it } from 'vitest';

// A table is written by the feature that owns it, and read by others only for a reason. See test/support/tables.ts. Statements that
// a feature's handle sends are judged when they are sent (sent-statements.test.ts); this reads the sources of all.

const SOURCES = path.resolve('packages/server/src');

/** Whose file it is: a feature, or the platform. */
const ownerOf = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1] ?? 'platform';

function offenses(file: string, source: string): string[] {
  const feature = ownerOf(file);
  return tableUses(source, known).flatMap(({ line, ...use }) => {
    const offense = foreignUse(feature, use);
    return offense ? [`${file}:${line} ${offense}`] : [];
  });
}

describe('planted in a feature', () => {
  it.each([
    ['adds', "sql.query('insert into serials (id) values ($1)')"],
    ['updates', "sql.query('update serials s set revoked_at = $1 where id = $2')"],
    ['updates', "sql.query('update serials set seats_used = seats_used - 1, revoked_at = now() where id = $2')"],
    ['deletes', 'sql.query(`with gone as (select 1)\n delete from activations where id = $1`)'],
    ['reads', "sql.query('select 1 from sessions where id = $1')"],
    ['reads', 'sql.query(`select 1 from products p join plugin_keys k on k.developer_id = p.developer_id`)'],
    ['adds', "sql.insertInto('serials').values(row)"],
    ['updates', "sql.updateTable('serials as s').set({ revoked_at: now })"],
    ['deletes', "sql.deleteFrom('activations')"],
    ['reads', "sql.selectFrom('sessions as s').select('s.id')"],
    ['reads', "sql.selectFrom('products as p').$call(joinOwn('plugin_key_days as k', 'k.id', 'p.id'))"],
    ['reads', "sql`select 1 from products p ${ownJoin('plugin_key_days as k', 'k.id', 'p.id')}`"],
  ])('a statement that %s another’s table is found: %s', (does, source) => {
    expect(offenses('features/search/planted.ts', source)).toEqual([expect.stringContaining(` ${does} `)]);
  });

  it.each([
    ['licensing', "sql.query('update serials s set seats_used = s.seats_used - 1 from gone where s.id = gone.id')"],
    ['serials', "sql.query('select 1 from serials where id = $1 for update')"],
    ['search', "sql.query('select name from products where developer_id = $1')"],
    ['search', '// update serials set revoked_at = now()\n/* delete from activations */'],
  ])('in %s, what may be done is let through: %s', (feature, source) => {
    expect(offenses(`features/${feature}/planted.ts`, source)).toEqual([]);
  });
});

interface Declared {
  feature: string;
  entities: readonly { meta: { tableName: string } }[];
}

/** Calls that send statements whose feature nobody knows. */
const UNNAMED = /\.(?:query|prepared|transaction|rowTransaction|clientTransaction|withClient)(?=[<(])|\.em(?=\.)/g;

describe('a feature', () => {
  it.each(['tx.query<Row>(text)', 'db.prepared(BY_ID, [])', 'db.transaction((tx) => 1)', 'tx.em.flush()'])(
    'would be found to send one without its handle: %s',
    (source) => {
      expect(source.match(UNNAMED)).toHaveLength(1);
    },
  );

  it('sends none without its handle', async () => {
    const found: string[] = [];
    let seen = 0;
    for await (const file of glob('features/**/*.ts', { cwd: SOURCES })) {
      if (file.endsWith('.test.ts')) continue;
      seen += 1;
      const source = readFileSync(path.join(SOURCES, file), 'utf8');
      found.push(...[...source.matchAll(UNNAMED)].map(([word]) => `${file}: ${word}`));
    }
    expect(seen).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });
});

describe('the sources', () => {
  it('write no table of another feature, and read one only for a listed reason', async () => {
    const found: string[] = [];
    let seen = 0;
    for await (const file of glob('**/*.ts', { cwd: SOURCES })) {
      if (file.endsWith('.test.ts')) continue;
      const source = readFileSync(path.join(SOURCES, file), 'utf8');
      seen += tableUses(source, known).length;
      found.push(...offenses(file, source));
    }
    expect(seen).toBeGreaterThan(300);
    expect(found).toEqual([]);
  });

  it('define each table in the feature that owns it', async () => {
    const defined: [string, string][] = [];
    for await (const file of glob('{features,platform}/**/*.entity.ts', { cwd: SOURCES })) {
      const source = readFileSync(path.join(SOURCES, file), 'utf8');
      for (const [, table = ''] of source.matchAll(/tableName: '(\w+)'/g)) defined.push([table, ownerOf(file)]);
    }
    expect(defined.length).toBeGreaterThan(25);
    expect(defined.filter(([table, owner]) => tables[table]?.owner !== owner)).toEqual([]);
  });

  it('declare in the `tables.ts` of each feature and of the platform the tables that it owns', async () => {
    const declared: [string, string][] = [];
    for await (const file of glob('{features/*,platform}/tables.ts', { cwd: SOURCES })) {
      const { tables: own } = (await import(path.join(SOURCES, file))) as { tables: Declared };
      expect(own.feature).toBe(ownerOf(file));
      for (const { meta } of own.entities) declared.push([meta.tableName, own.feature]);
    }
    expect(declared.sort()).toEqual(
      Object.entries(tables)
        .map(([table, { owner }]) => [table, owner])
        .sort(),
    );
  });

  it('need every reason that is listed', async () => {
    const used = new Set<string>();
    for await (const file of glob('**/*.ts', { cwd: SOURCES })) {
      if (file.endsWith('.test.ts')) continue;
      for (const { table } of tableUses(readFileSync(path.join(SOURCES, file), 'utf8'), known))
        used.add(`${ownerOf(file)} ${table}`);
    }
    const listed = Object.entries(readers).flatMap(([table, { features }]) =>
      features.map((each) => `${each} ${table}`),
    );
    expect(listed.filter((each) => !used.has(each))).toEqual([]);
  });

  it('record events in their own statements where they are listed for it', async () => {
    const borrowers = new Set(lent.webhook_events);
    expect(borrowers.size).toBeGreaterThan(0);
    for await (const file of glob('features/**/*.ts', { cwd: SOURCES }))
      if (/\brecord(?:Ctes|Parts)\(/.test(readFileSync(path.join(SOURCES, file), 'utf8')))
        borrowers.delete(ownerOf(file));
    expect([...borrowers]).toEqual([]);
  });
});
