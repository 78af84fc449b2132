import pg from 'pg';
import * as m from '#platform/archive/manifest.ts';
import { type ArchivedTable, NOT_RESTORED, planOf, tablesOf, WRITTEN_BY_TRIGGERS } from '#platform/archive/plan.ts';
import type { Sql } from '#platform/db/database.ts';
import { StartupError, sqlState } from '#platform/errors.ts';
import type { Base } from '#platform/feature.ts';
import { AccountArchive } from './archive.ts';
import { batchesIn, jsonbOf } from './json-lines.ts';

type Deps = Pick<Base, 'db' | 'storage' | 'secrets' | 'clock' | 'log'>;
type Options = Deps & { file: string; passphrase: string; sealed: Base['sealed'] };

export interface RestoredAccount {
  email: string;
  plan: string;
  rows: number;
  files: number;
  /** Resellers who have no account here: their partnerships are ended. */
  absent: number;
  /** Columns of the archive that this version has no longer. */
  skipped: string[];
}

const STORED = /^(files|images|imports)\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,8}$/;
/** Rows that the planner has to know of. */
const MANY = 10_000;
const BATCH = { lines: 2000, bytes: 4 * 1024 * 1024 };

/** Values that replace what another server’s account may not bring along, by table and column, in SQL. */
const INSTEAD: Readonly<Record<string, Record<string, string>>> = {
  // an archive makes nobody an admin
  users: { is_admin: 'false' },
  // the name has to point here first
  custom_domains: { verified_at: 'null', checked_at: 'null' },
  webhook_endpoints: { leased_by: 'null', leased_until: 'null' },
  // counts the transactions of this database
  webhook_events: { xid: 'pg_current_xact_id()::text::bigint' },
};

/**
 * Makes an account again from its archive: same ids, codes and keys. The archive is read whole and compared with its SHA-256 before
 * anything is written; then everything is written in one transaction.
 * @throws {StartupError} when it cannot be, in words. Nothing is there then.
 */
export async function restoreAccount(options: Options): Promise<RestoredAccount> {
  const archive = await AccountArchive.open(options.file, options.passphrase);
  try {
    await refuseUnfit(options, archive);
    await archive.verify();
    return await write(options, archive);
  } finally {
    archive.close();
  }
}

async function refuseUnfit({ db }: Options, { manifest }: AccountArchive): Promise<void> {
  const ran = await db.query<{ name: string }>('select name from mikro_orm_migrations');
  const unknown = manifest.migrations.filter((name) => !ran.some((known) => known.name === name));
  if (unknown.length > 0)
    throw new StartupError('A newer version of Tonerow made this archive. Bring this server up to date first.');
  const { id, email } = manifest.account;
  const [there] = await db.query<{ id: string }>('select id from users where id = $1 or email_key = lower($2)', [
    id,
    email,
  ]);
  if (there?.id === id) throw new StartupError(`The account ${email} is on this server already, or was.`);
  if (there) throw new StartupError(`Another account of this server has the address ${email}.`);
}

async function write(options: Options, archive: AccountArchive): Promise<RestoredAccount> {
  const { db, storage, log } = options;
  const stored: string[] = [];
  try {
    // files are stored in between
    const settings = { idle_in_transaction_session_timeout: '0' };
    return await db.work({ tx: true, once: true, settings }, async (tx) => {
      const result = await new Restoring(options, archive, tx).tables();
      for (const { path } of archive.manifest.files.filter((file) => STORED.test(file.path))) {
        if (await storage.stat(path)) throw new StartupError(`${path} is in the storage of this server already.`);
        stored.push(path);
        await storage.put(path, await archive.read(path), typeOf(path));
      }
      return { ...result, files: stored.length };
    });
  } catch (error) {
    for (const key of stored)
      await storage.delete(key).catch((err) => log.warn({ err, key }, 'a file of no account is left in the storage'));
    throw inWords(error);
  }
}

const typeOf = (path: string) => (path.endsWith('.webp') ? 'image/webp' : 'application/octet-stream');

function inWords(error: unknown): unknown {
  const state = sqlState(error);
  const { table, detail, message } = error as { table?: string; detail?: string; message?: string };
  if (state === '23505')
    return new StartupError(`Something of the archive is on this server already (${table}: ${detail}).`, {
      cause: error,
    });
  if (state?.startsWith('23') || state?.startsWith('22'))
    return new StartupError(`A row of ${table ?? 'the archive'} does not fit here: ${message}`, { cause: error });
  return error;
}

class Restoring {
  readonly #options: Options;
  readonly #archive: AccountArchive;
  readonly #sql: Sql;
  readonly #client: pg.ClientBase;
  readonly #accountId: string;
  readonly #secrets = new Map<string, string>();
  #types = new Map<string, { type: string; required: boolean }>();
  #selfReferring = new Set<string>();
  #absent: string[] = [];

  constructor(options: Options, archive: AccountArchive, tx: Sql) {
    this.#options = options;
    this.#archive = archive;
    this.#sql = tx;
    this.#client = tx.client as pg.ClientBase;
    this.#accountId = archive.manifest.account.id;
    for (const { table, id, column, base64 } of archive.values) this.#secrets.set(`${table}.${column} ${id}`, base64);
  }

  async tables(): Promise<Omit<RestoredAccount, 'files'>> {
    const { manifest } = this.#archive;
    await this.#readSchema();
    const plan = planOf(await tablesOf(this.#sql), this.#options.sealed);
    const skipped = manifest.tables.filter(({ name }) => !plan.some((table) => table.name === name));
    const names = skipped.map(({ name }) => name);
    let rows = 0;
    for (const table of plan) {
      const from = manifest.tables.find(({ name }) => name === table.name);
      if (!from || table.name in NOT_RESTORED) continue;
      names.push(
        ...from.columns.filter((column) => !table.columns.includes(column)).map((column) => `${table.name}.${column}`),
      );
      if (table.name === WRITTEN_BY_TRIGGERS)
        await this.#client.query(`delete from ${ident(table.name)} where developer_id = $1`, [this.#accountId]);
      const added = await this.#table(table, from);
      if (added !== from.rows)
        throw new StartupError(`${table.name} has ${added} rows of this account, and ${from.rows} were expected.`);
      rows += added;
    }
    const { rows: users } = await this.#client.query<{ email: string; plan: string }>(
      'select email, plan from users where id = $1',
      [this.#accountId],
    );
    const [user] = users;
    if (!user) throw new StartupError('The archive has no account.');
    return { email: user.email, plan: user.plan, rows, absent: await this.#endAbsent(), skipped: names };
  }

  async #readSchema(): Promise<void> {
    const { rows } = await this.#client.query<{ key: string; type: string; required: boolean }>(
      `select c.relname || '.' || a.attname as key, format_type(a.atttypid, null) as type, a.attnotnull as required
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    );
    this.#types = new Map(rows.map(({ key, ...column }) => [key, column]));
    const { rows: self } = await this.#client.query<{ name: string }>(
      `select distinct c.relname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
       where k.contype = 'f' and k.conrelid = k.confrelid and c.relnamespace = 'public'::regnamespace`,
    );
    this.#selfReferring = new Set(self.map(({ name }) => name));
  }

  async #table(table: ArchivedTable, from: m.Manifest['tables'][number]): Promise<number> {
    const sealed = table.secret.filter(({ column }) => from.sealed.includes(column));
    const columns = [
      ...from.columns.filter((column) => table.columns.includes(column)),
      ...sealed.map(({ column }) => column),
    ];
    // a row may refer to one after it
    const limits = this.#selfReferring.has(table.name) ? { lines: Infinity, bytes: Infinity } : BATCH;
    let added = 0;
    for await (const lines of batchesIn(await this.#archive.read(m.linesOf(table.name)), limits)) {
      const rows = sealed.length > 0 ? this.#withSecrets(table, sealed, lines) : lines;
      added += await this.#insert(table, columns, jsonbOf(rows));
    }
    // a vacuum that comes by before the commit counts none of them, and the tables after this one look each row up in it
    if (added >= MANY) await this.#client.query(`analyze (skip_locked) ${ident(table.name)}`);
    return added;
  }

  /** Rows with what was sealed, as this server seals it. */
  #withSecrets({ name }: ArchivedTable, secret: ArchivedTable['secret'], lines: Buffer): Buffer {
    const rows = lines
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const row of rows)
      for (const { column, purpose } of secret) {
        const { type, required } = this.#types.get(`${name}.${column}`) as { type: string; required: boolean };
        const base64 = this.#secrets.get(`${name}.${column} ${row.id}`);
        // lost already where it comes from: as it is after the loss of a secret
        if (base64 === undefined) row[column] = required ? '' : null;
        else {
          const value = Buffer.from(base64, 'base64');
          const kept = purpose === null || value.length === 0 ? value : this.#options.secrets.seal(value, purpose);
          row[column] = type === 'bytea' ? `\\x${kept.toString('hex')}` : kept.toString();
        }
      }
    return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }

  /** Inserts rows of this account only: the maker of an archive decides nothing about other accounts. */
  async #insert({ name, owner }: ArchivedTable, columns: string[], rows: Buffer): Promise<number> {
    if (name === 'reseller_developers') await this.#addAbsent(rows);
    const instead = INSTEAD[name] ?? {};
    const values = columns.map((column) => instead[column] ?? `r.${ident(column)}`);
    const { rowCount } = await this.#client.query(
      `insert into ${ident(name)} (${columns.map(ident).join(', ')})
       select ${values.join(', ')} from jsonb_populate_recordset(null::${ident(name)}, $1::jsonb) r
       where r.${ident(owner)} = $2`,
      [rows, this.#accountId],
    );
    return rowCount ?? 0;
  }

  /** The ledger refers to resellers: those without an account here are there as deleted ones, without a name. */
  async #addAbsent(rows: Buffer): Promise<void> {
    const now = this.#options.clock.now();
    const { rows: added } = await this.#client.query<{ id: string }>(
      `insert into users (id, role, email, first_name, last_name, created_at, deleted_at)
       select distinct r.reseller_id, 'reseller', 'deleted', '', '', $2::timestamptz, $2::timestamptz
       from jsonb_populate_recordset(null::reseller_developers, $1::jsonb) r
       on conflict (id) do nothing returning id`,
      [rows, now],
    );
    this.#absent.push(...added.map(({ id }) => id));
  }

  async #endAbsent(): Promise<number> {
    await this.#client.query(
      `update partnerships set status = 'ended', ended_at = $3
       where developer_id = $1 and reseller_id = any($2::uuid[]) and status in ('active', 'paused')`,
      [this.#accountId, this.#absent, this.#options.clock.now()],
    );
    return this.#absent.length;
  }
}

const ident = (name: string) => pg.escapeIdentifier(name);
