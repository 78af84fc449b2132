import type pg from 'pg';
import { sqlOf } from '#platform/db/database.ts';
import type { TenantTable } from '#platform/db/partitions/catalog.ts';
import { partitionCount } from '#platform/db/partitions/mark.ts';
import { readSchemaState, refuseForeignSchema } from '#platform/db/schema/schema-state.ts';
import { quoted } from '#platform/db/statements/identifiers.ts';
import { StartupError } from '#platform/errors.ts';
import { bytesIn } from '#platform/text/languages.ts';
import { migrationsFolder } from '../base.ts';
import type { Forecast } from './forecast.ts';

/** @throws {StartupError} in words, when the tables cannot get so many partitions */
export async function refuse(client: pg.ClientBase, tables: readonly TenantTable[], by: number): Promise<void> {
  const sql = sqlOf(client);
  const state = await readSchemaState(sql, migrationsFolder);
  refuseForeignSchema(state);
  if (state.pending.length > 0) throw new StartupError('The schema is not current. Run tonerow-server migrate first.');
  const done = tables.find(({ partitions }) => partitions > 0 && partitions !== by)?.partitions;
  if (done !== undefined)
    throw new StartupError(
      `There are tables with ${done} partitions, and they keep that number. ${
        (await partitionCount(sql)) > 0
          ? 'For another one, restore a backup into an empty database that was partitioned with it.'
          : `A run was not finished. Go on with: tonerow-server partition --by ${done}`
      }`,
    );
  if ((await partitionCount(sql)) === by && tables.every(({ partitions }) => partitions === by))
    throw new StartupError(`All ${tables.length} tables have ${by} partitions already. There is nothing to do.`);
  await refuseCitus(client);
  await refuseRole(client, tables);
  await refuseOthers(client, tables);
  await refuseLocks(client, tables, by);
}

/** A backup reads all tables in one transaction, and holds a lock on each of their partitions and indexes until its end. */
async function refuseLocks(client: pg.ClientBase, tables: readonly TenantTable[], by: number): Promise<void> {
  const { rows } = await client.query<{ each: number; room: number }>(
    `select count(*)::int as each,
       current_setting('max_locks_per_transaction')::int
         * (current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int) as room
     from pg_class c left join pg_index x on x.indexrelid = c.oid
     where coalesce(x.indrelid, c.oid) = any($1::text[]::regclass[])`,
    [tables.map(({ name }) => `public.${quoted(name)}`)],
  );
  const [{ each, room } = { each: 0, room: 0 }] = rows;
  const locks = each * (by + 1);
  if (locks > room)
    throw new StartupError(
      `${by} partitions of ${tables.length} tables need about ${locks} locks for a backup, and PostgreSQL has room for ${room}. Raise max_locks_per_transaction, or take fewer partitions.`,
    );
}

async function refuseRole(client: pg.ClientBase, tables: readonly TenantTable[]): Promise<void> {
  const owners = [...new Set(tables.map(({ owner }) => owner))];
  const { rows } = await client.query<{
    role: string;
    member: boolean;
    create: boolean;
    theirs: boolean;
    publicly: boolean;
  }>(
    `select current_user as role, bool_and(pg_has_role(current_user, o, 'member')) as member,
       has_database_privilege(current_user, current_database(), 'create') as create,
       bool_and(has_database_privilege(o, current_database(), 'create')) as theirs,
       bool_and(has_schema_privilege(o, 'public', 'create')) as publicly
     from unnest($1::text[]) o`,
    [owners],
  );
  const [may] = rows;
  if (owners.length > 1)
    throw new StartupError(`The tables belong to several roles: ${owners.join(', ')}. Give all of them to one.`);
  if (!may?.member)
    throw new StartupError(
      `The role ${may?.role} does not own the tables. Connect as ${owners[0]}, which does, or as a superuser.`,
    );
  // its owner makes the partitions of tables that come with later versions
  const unable = may.create ? owners[0] : may.role;
  if (!may.create || !may.theirs)
    throw new StartupError(
      `The role ${unable} may not make schemas in this database: grant create on database … to ${unable}.`,
    );
  if (!may.publicly)
    throw new StartupError(
      `The role ${owners[0]} may no longer make tables: grant create on schema public to ${owners[0]}.`,
    );
}

/**
 * Objects that others have put on the tables: they would be dropped with the tables, or keep them from being dropped.
 * Each query returns the names of such objects on `t.oid`.
 */
const OTHERS = {
  'Views of yours read the tables': `
    select r.ev_class::regclass::text from pg_depend d join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
    where d.refobjid = t.oid and d.refclassid = 'pg_class'::regclass`,
  'Publications name the tables': `
    select p.pubname from pg_publication_rel r join pg_publication p on p.oid = r.prpubid where r.prrelid = t.oid`,
  'Functions of yours use the tables as types': `
    select d.objid::regprocedure::text from pg_depend d where d.classid = 'pg_proc'::regclass and d.refclassid = 'pg_type'::regclass
      and d.refobjid in (t.reltype, (select typarray from pg_type where oid = t.reltype))`,
  'Policies are on the tables': 'select polname from pg_policy where polrelid = t.oid',
  'Tables in other schemas refer to the tables': `
    select k.conrelid::regclass::text from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.confrelid = t.oid and k.conparentid = 0 and c.relnamespace <> 'public'::regnamespace
      and c.relnamespace::regnamespace::text !~ '^partition_[0-9]+$'`,
};

async function refuseOthers(client: pg.ClientBase, tables: readonly TenantTable[]): Promise<void> {
  const whole = tables.filter(({ partitions }) => partitions === 0).map(({ name }) => name);
  for (const [what, query] of Object.entries(OTHERS)) {
    const { rows } = await client.query<{ name: string }>(
      `select distinct o.name::text as name from pg_class t cross join lateral (${query}) o (name)
       where t.relnamespace = 'public'::regnamespace and t.relname = any($1::text[]) order by 1`,
      [whole],
    );
    const names = rows.map(({ name }) => name).join(', ');
    if (names !== '') throw new StartupError(`${what}: ${names}. Drop them, and make them again afterwards.`);
  }
}

async function refuseCitus(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query("select 1 from pg_extension where extname = 'citus'");
  if (rows.length > 0)
    throw new StartupError(
      'This database has Citus, which spreads the tables itself. Partitions are for one PostgreSQL.',
    );
}

/** @throws {StartupError} when the disk is short */
export function refuseDisk({ needs, free }: Forecast): void {
  if (free === null || free > needs) return;
  throw new StartupError(
    `The disk of the database has ${bytesIn('en', free)} free, and ${bytesIn('en', needs)} are needed at one time. Make room first.`,
  );
}
