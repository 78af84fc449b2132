import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { unseal } from '#platform/archive/age.ts';
import * as m from '#platform/archive/manifest.ts';
import { type ArchivedTable, NOT_RESTORED, planOf, tablesOf, WRITTEN_BY_TRIGGERS } from '#platform/archive/plan.ts';
import { sqlOf } from '#platform/db/database.ts';
import { StartupError, sqlState } from '#platform/errors.ts';
import type { Base } from '#platform/feature.ts';

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
/** Of what is read as a whole. */
const LARGEST = 256 * 1024 * 1024;
/** Rows that the planner has to know of. */
const MANY = 10_000;
const BATCH = { lines: 2000, characters: 4 * 1024 * 1024 };

/** What another server’s account may not bring along, by table and column, in SQL. */
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
    return await db.clientTransaction(async (client) => {
      // files are stored in between
      await client.query('set local idle_in_transaction_session_timeout = 0');
      const result = await new Restoring(options, archive, client).tables();
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
  readonly #client: pg.PoolClient;
  readonly #accountId: string;
  readonly #secrets = new Map<string, string>();
  #types = new Map<string, { type: string; required: boolean }>();
  #selfReferring = new Set<string>();
  #absent: string[] = [];

  constructor(options: Options, archive: AccountArchive, client: pg.PoolClient) {
    this.#options = options;
    this.#archive = archive;
    this.#client = client;
    this.#accountId = archive.manifest.account.id;
    for (const { table, id, column, base64 } of archive.values) this.#secrets.set(`${table}.${column} ${id}`, base64);
  }

  async tables(): Promise<Omit<RestoredAccount, 'files'>> {
    const { manifest } = this.#archive;
    await this.#readSchema();
    const plan = planOf(await tablesOf(sqlOf(this.#client)), this.#options.sealed);
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
    const whole = this.#selfReferring.has(table.name);
    let [lines, characters, added]: [string[], number, number] = [[], 0, 0];
    const flush = async () => {
      if (lines.length > 0) added += await this.#insert(table, columns, lines);
      [lines, characters] = [[], 0];
    };
    const source = await this.#archive.read(m.linesOf(table.name));
    for await (const line of linesIn(source)) {
      const row = sealed.length > 0 ? this.#withSecrets(table, sealed, line) : line;
      lines.push(row);
      characters += row.length;
      if (!whole && (lines.length >= BATCH.lines || characters >= BATCH.characters)) await flush();
    }
    await flush();
    // a vacuum that comes by before the commit counts none of them, and the tables after this one look each row up in it
    if (added >= MANY) await this.#client.query(`analyze (skip_locked) ${ident(table.name)}`);
    return added;
  }

  /** A row with what was sealed, as this server seals it. */
  #withSecrets({ name }: ArchivedTable, secret: ArchivedTable['secret'], line: string): string {
    const row = JSON.parse(line) as Record<string, unknown>;
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
    return JSON.stringify(row);
  }

  /** Rows of the account alone: whoever made the archive decides nothing about others. */
  async #insert({ name, owner }: ArchivedTable, columns: string[], lines: string[]): Promise<number> {
    const rows = `[${lines.join(',')}]`;
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
  async #addAbsent(rows: string): Promise<void> {
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

/** An archive whose manifest is known to be the one that was sealed. */
class AccountArchive {
  readonly manifest: m.Manifest;
  readonly values: readonly m.SealedValue[];
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(
    zip: ZipFile,
    entries: ReadonlyMap<string, Entry>,
    content: { manifest: m.Manifest; values: m.SealedValue[] },
  ) {
    this.#zip = zip;
    this.#entries = entries;
    this.manifest = content.manifest;
    this.values = content.values;
  }

  /** @throws {StartupError} for what is none, is cut off, is newer, or has another passphrase. */
  static async open(file: string, passphrase: string): Promise<AccountArchive> {
    const zip = await opened(file);
    try {
      const entries = await entriesOf(zip, file);
      const text = await whole(zip, entries.get(m.MANIFEST), file);
      const manifest = readManifest(text, file);
      const plain = await unseal(await whole(zip, entries.get(m.SEALED), file), passphrase).catch((error) => {
        throw new StartupError((error as Error).message, { cause: error });
      });
      const [head, ...values] = plain.toString().trimEnd().split('\n');
      const { manifest_sha256 } = m.SealedHead.parse(JSON.parse(head as string));
      if (createHash('sha256').update(text).digest('hex') !== manifest_sha256) throw altered(m.MANIFEST);
      const content = { manifest, values: values.map((line) => m.SealedValue.parse(JSON.parse(line))) };
      return new AccountArchive(zip, entries, content);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** Reads everything. @throws {StartupError} for what is missing, too much, or not as it was. */
  async verify(): Promise<void> {
    const known = new Set([m.MANIFEST, m.SEALED, ...this.manifest.files.map(({ path }) => path)]);
    for (const name of this.#entries.keys()) if (!known.has(name)) throw altered(name);
    for (const { path, bytes, sha256 } of this.manifest.files) {
      const hash = createHash('sha256');
      let size = 0;
      try {
        for await (const chunk of (await this.read(path)) as AsyncIterable<Buffer>) {
          hash.update(chunk);
          size += chunk.length;
        }
      } catch (error) {
        throw altered(path, error);
      }
      if (size !== bytes || hash.digest('hex') !== sha256) throw altered(path);
    }
  }

  async read(path: string): Promise<Readable> {
    const entry = this.#entries.get(path);
    if (!entry) throw altered(path);
    return streamOf(this.#zip, entry);
  }

  close(): void {
    this.#zip.close();
  }
}

/** By line feeds alone: other separators of lines are text. */
async function* linesIn(source: Readable): AsyncGenerator<string> {
  let open: Buffer[] = [];
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...open, chunk.subarray(from, at)]).toString();
      [open, from] = [[], at + 1];
    }
    if (from < chunk.length) open.push(chunk.subarray(from));
  }
  if (open.length > 0) yield Buffer.concat(open).toString();
}

function readManifest(text: Buffer, file: string): m.Manifest {
  let found: { format?: unknown; version?: unknown };
  try {
    found = JSON.parse(text.toString());
  } catch (error) {
    throw noArchive(file, error);
  }
  if (found?.format === 'tonerow-account' && typeof found.version === 'number' && found.version > m.VERSION)
    throw new StartupError('A newer version of Tonerow made this archive. Bring this server up to date first.');
  const read = m.Manifest.safeParse(found);
  if (!read.success) throw noArchive(file, read.error);
  return read.data;
}

const opened = (file: string) =>
  new Promise<ZipFile>((resolve, reject) => {
    yauzl.open(file, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (!error) return resolve(zip);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return reject(new StartupError(`There is no file at ${file}.`));
      return reject(noArchive(file, error));
    });
  });

const entriesOf = (zip: ZipFile, file: string) =>
  new Promise<Map<string, Entry>>((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on('entry', (entry: Entry) => {
      if (entries.has(entry.fileName)) return reject(altered(entry.fileName));
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', (error) => reject(noArchive(file, error)));
    zip.readEntry();
  });

const streamOf = (zip: ZipFile, entry: Entry) =>
  new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });

async function whole(zip: ZipFile, entry: Entry | undefined, file: string): Promise<Buffer> {
  if (!entry || entry.uncompressedSize > LARGEST) throw noArchive(file);
  try {
    return await buffer(await streamOf(zip, entry));
  } catch (error) {
    throw noArchive(file, error);
  }
}

const noArchive = (file: string, cause?: unknown) =>
  new StartupError(`${file} is not an archive of an account, or it is cut off.`, { cause });
const altered = (path: string, cause?: unknown) =>
  new StartupError(`The archive was changed or is damaged: ${path} is not as it was. Nothing was restored.`, { cause });

/** The first line of a file. @throws {StartupError} */
export async function passphraseIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new StartupError(`The passphrase cannot be read from ${file}.`, { cause: error });
  });
  const passphrase = text.trim();
  if (passphrase === '' || passphrase.includes('\n')) throw new StartupError(`${file} has to hold one line.`);
  return passphrase;
}

const ident = (name: string) => pg.escapeIdentifier(name);
