import type pg from 'pg';
import { listed, quoted } from '../statements/identifiers.ts';
import { withBriefLocks } from './brief-locks.ts';
import type { TenantTable } from './catalog.ts';
import { WORKSHOP } from './names.ts';
import { together } from './together.ts';

/** The trigger that notes which rows change, under this name on every table that is being copied. */
export const CAPTURE = 'partitioning_notes';
const EVERYTHING = '/* across tenants: a table is copied whole */';

const notesOf = (table: string) => `${WORKSHOP}.${quoted(`notes_${table}`)}`;
const noteOf = (table: string) => `${WORKSHOP}.${quoted(`note_${table}`)}`;
export const stagedOf = (table: string) => `${WORKSHOP}.${quoted(table)}`;

/** Starts to note the key of every row that changes, in the transaction that changes it. */
export async function beginCapture(client: pg.ClientBase, { name, key }: TenantTable): Promise<void> {
  const insert = (row: string) =>
    `insert into ${notesOf(name)} values (${key.map((column) => `${row}.${quoted(column)}`).join(', ')});`;
  const changed = key.map((column) => `new.${quoted(column)} is distinct from old.${quoted(column)}`).join(' or ');
  // any role that may write the table may note it
  const note = `begin
      if tg_op <> 'INSERT' then ${insert('old')} end if;
      if tg_op = 'INSERT' then ${insert('new')}
      elsif tg_op = 'UPDATE' then if ${changed} then ${insert('new')} end if; end if;
      return null;
    end`;
  // it waits for those who write at the moment, so that no change goes unnoted
  await withBriefLocks(client, { tables: [name], mode: 'share row exclusive' }, async () => {
    await together(client, [
      `create table ${notesOf(name)} as select ${listed(key)} from public.${quoted(name)} with no data`,
      `create function ${noteOf(name)}() returns trigger language plpgsql security definer set search_path = pg_catalog as $note$ ${note} $note$`,
      `create trigger ${CAPTURE} after insert or update or delete on public.${quoted(name)} for each row execute function ${noteOf(name)}()`,
    ]);
  });
  await together(client, [
    'drop table if exists pg_temp.noted',
    `create temp table noted as select ${listed(key)} from public.${quoted(name)} with no data`,
  ]);
}

/** Copies every row as it is at one moment. */
export async function copyRows(client: pg.ClientBase, { name, columns }: TenantTable): Promise<number> {
  const { rowCount } = await client.query(
    `${EVERYTHING} insert into ${stagedOf(name)} (${listed(columns)}) overriding system value
     select ${listed(columns)} from public.${quoted(name)}`,
  );
  return rowCount ?? 0;
}

/** Brings the rows that were noted up to date, within a transaction. @returns how many they were. */
export async function applyNotes(client: pg.ClientBase, { name, key, columns }: TenantTable): Promise<number> {
  const { rowCount } = await client.query(
    `with gone as (delete from ${notesOf(name)} returning *) insert into pg_temp.noted select distinct * from gone`,
  );
  if (!rowCount) return 0;
  await client.query('analyze pg_temp.noted');
  const same = (of: string) => key.map((column) => `${of}.${quoted(column)} = n.${quoted(column)}`).join(' and ');
  await client.query(`${EVERYTHING} delete from ${stagedOf(name)} s using pg_temp.noted n where ${same('s')}`);
  const own = columns.map((column) => `t.${quoted(column)}`).join(', ');
  await client.query(
    `${EVERYTHING} insert into ${stagedOf(name)} (${listed(columns)}) overriding system value
     select ${own} from public.${quoted(name)} t join pg_temp.noted n on ${same('t')}`,
  );
  await client.query('truncate pg_temp.noted');
  return rowCount;
}

/** So few are brought up to date in a moment. */
const FEW = 200;
const ROUNDS = 50;

/** Brings noted rows up to date until few are left, while others go on writing. */
export async function catchUp(client: pg.ClientBase, table: TenantTable): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    // notes and rows of one moment: what changes meanwhile has a note that is still to come
    await client.query('begin isolation level repeatable read');
    let noted: number;
    try {
      noted = await applyNotes(client, table);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
    if (noted <= FEW) return;
  }
}

/** Ends noting, within the transaction that has locked the table. */
export async function endCapture(client: pg.ClientBase, name: string): Promise<void> {
  await together(client, [
    `drop trigger ${CAPTURE} on public.${quoted(name)}`,
    `drop function ${noteOf(name)}()`,
    `drop table ${notesOf(name)}`,
  ]);
}
