import { createHash, type Hash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { ZipFile } from 'yazl';
import type { Database, Sql } from '../db/database.ts';
import { copyOut } from '../db/statements/copy.ts';
import { setLocal } from '../db/statements/set-local.ts';
import type { Random } from '../random.ts';
import type { SealedColumn } from '../secrets/sealed-column.ts';
import { MissingSecretError, type Secrets } from '../secrets/secrets.ts';
import type { Storage } from '../storage/storage.ts';
import { type Envelope, seal } from './age.ts';
import * as m from './manifest.ts';
import { type ArchivedTable, LEFT_OUT, NOT_RESTORED, planOf, tablesOf } from './plan.ts';

export interface ArchiveProgress {
  tables: number;
  tablesDone: number;
  files: number;
  filesDone: number;
  rows: number;
}

interface Dependencies {
  db: Database;
  storage: Storage;
  secrets: Secrets;
  random: Random;
  sealed: readonly SealedColumn[];
}

interface Order {
  accountId: string;
  /** Where the archive goes in the storage. */
  key: string;
  envelope: Envelope;
  now: Date;
  progress: ArchiveProgress;
  signal: AbortSignal;
}

export interface WrittenArchive {
  size: number;
  sha256: Buffer;
}

/** No text holds these, so that PostgreSQL finds nothing to quote. */
const AS_IT_IS = "(format csv, quote E'\\x01', delimiter E'\\x02')";
/** Read most for the bytes: a higher level takes twice the time for a twentieth of them. */
const LEVEL = 4;
/** Keys, tokens and shops of one account; more would be no account. */
const MOST_SECRETS = 1_000_000;

export class AccountDeletedError extends Error {
  override name = 'AccountDeletedError';
}

/**
 * Writes everything of an account into one ZIP file in the storage: tables as they were at one moment, read as fast as they are
 * written and never held. Nothing is stored unless it is whole.
 */
export async function writeArchive(deps: Dependencies, order: Order): Promise<WrittenArchive> {
  const stop = new AbortController();
  const signal = AbortSignal.any([order.signal, stop.signal]);
  const zip = new ZipFile();
  const total = measured();
  zip.on('error', (error) => stop.abort(error));
  const stored = pipeline(zip.outputStream as Readable, total.through, { signal }).catch((error) => stop.abort(error));
  const kept = deps.storage.put(order.key, total.through, 'application/zip').catch((error) => {
    stop.abort(error);
    throw error;
  });
  kept.catch(() => undefined);
  try {
    await new Writing(deps, order, zip, signal).all();
    zip.end();
    await stored;
    await kept;
  } catch (error) {
    stop.abort(error);
    total.through.destroy(error as Error);
    await kept.catch(() => undefined);
    throw signal.reason ?? error;
  }
  return { size: total.bytes(), sha256: total.digest() };
}

class Writing {
  readonly #deps: Dependencies;
  readonly #order: Order;
  readonly #zip: ZipFile;
  readonly #signal: AbortSignal;
  readonly #files: m.Manifest['files'] = [];
  readonly #missing: string[] = [];

  constructor(deps: Dependencies, order: Order, zip: ZipFile, signal: AbortSignal) {
    this.#deps = deps;
    this.#order = order;
    this.#zip = zip;
    this.#signal = signal;
  }

  async all(): Promise<void> {
    const { accountId, now } = this.#order;
    const { db } = this.#deps;
    const work = { lane: 'bulk', account: accountId, tx: true, once: true, signal: this.#signal } as const;
    const rows = await db.work(work, (tx) => this.#tables(tx, tx.client as pg.ClientBase));
    await this.#add(m.README, Readable.from([Buffer.from(m.readme(rows.account.email))]));
    for (const key of rows.keys) await this.#stored(key);
    const manifest: m.Manifest = {
      format: 'tonerow-account',
      version: m.VERSION,
      created_at: now.toISOString(),
      account: rows.account,
      migrations: rows.migrations,
      tables: rows.tables,
      left_out: { ...LEFT_OUT },
      files: this.#files,
      missing: this.#missing,
    };
    const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    await this.#put(m.MANIFEST, text);
    const head = { manifest_sha256: createHash('sha256').update(text).digest('hex') };
    const plain = Buffer.from([head, ...rows.secrets].map((line) => `${JSON.stringify(line)}\n`).join(''));
    await this.#put(
      m.SEALED,
      seal(this.#order.envelope, plain, (count) => this.#deps.random.bytes(count)),
    );
  }

  /** Writes the account's rows in the database, as of one moment. */
  async #tables(sql: Sql, client: pg.ClientBase) {
    const { progress } = this.#order;
    // COPY may take longer than what a statement of a page may
    await client.query('set transaction isolation level repeatable read, read only');
    await setLocal((text) => client.query(text), { timezone: 'UTC' });
    const account = await this.#account(client);
    const ran = await sql.query<{ name: string }>('select name from mikro_orm_migrations order by name');
    const plan = planOf(await tablesOf(sql), this.#deps.sealed);
    progress.tables = plan.length;
    const tables: m.Manifest['tables'] = [];
    for (const table of plan) {
      tables.push(await this.#table(client, table));
      progress.tablesDone += 1;
    }
    const secrets: m.SealedValue[] = [];
    for (const table of plan) secrets.push(...(await this.#secretsOf(client, table)));
    if (secrets.length > MOST_SECRETS) throw new Error(`an account with ${secrets.length} secrets`);
    const keys = await this.#keys(client);
    progress.files = keys.length;
    return { account, migrations: ran.map(({ name }) => name), tables, secrets, keys };
  }

  async #account(client: pg.ClientBase): Promise<m.Manifest['account']> {
    const { rows } = await client.query<m.Manifest['account']>(
      'select id, email, role from users where id = $1 and deleted_at is null',
      [this.#order.accountId],
    );
    if (!rows[0]) throw new AccountDeletedError('the account was deleted');
    return rows[0];
  }

  async #table(client: pg.ClientBase, table: ArchivedTable): Promise<m.Manifest['tables'][number]> {
    const { name, owner, secret } = table;
    const sealed = secret.map(({ column }) => column);
    const columns = table.columns.filter((column) => !sealed.includes(column));
    const from = `from ${ident(name)} t where t.${ident(owner)} = ${pg.escapeLiteral(this.#order.accountId)}`;
    const shown = columns.map((column) => `t.${ident(column)}`).join(', ');
    const json = `to_jsonb(t)${sealed.map((column) => ` - ${pg.escapeLiteral(column)}`).join('')}`;
    const lines = counted();
    await this.#add(
      m.linesOf(name),
      copyOut(client, `copy (select (${json})::text ${from}) to stdout ${AS_IT_IS}`),
      lines.through,
    );
    await this.#add(m.csvOf(name), copyOut(client, `copy (select ${shown} ${from}) to stdout (format csv, header)`));
    this.#order.progress.rows += lines.count();
    return { name, rows: lines.count(), columns, sealed, owner, kept_because: NOT_RESTORED[name] ?? null };
  }

  async #secretsOf(client: pg.ClientBase, { name, owner, secret }: ArchivedTable): Promise<m.SealedValue[]> {
    const found: m.SealedValue[] = [];
    for (const { column, purpose } of secret) {
      const { rows } = await client.query<{ id: string; value: Buffer | string }>(
        `select t.id, t.${ident(column)} as value from ${ident(name)} t
         where t.${ident(owner)} = $1 and t.${ident(column)} is not null order by t.id`,
        [this.#order.accountId],
      );
      for (const { id, value } of rows) {
        const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value);
        const open = purpose === null || bytes.length === 0 ? bytes : this.#open(bytes, purpose);
        if (open) found.push({ table: name, id, column, base64: open.toString('base64') });
        else this.#missing.push(`${name}.${column} of ${id}`);
      }
    }
    return found;
  }

  /** Null when the secret that sealed it is lost: it is lost for this server, too. */
  #open(sealed: Buffer, purpose: string): Buffer | null {
    try {
      return this.#deps.secrets.open(sealed, purpose);
    } catch (error) {
      if (error instanceof MissingSecretError) return null;
      throw error;
    }
  }

  /** The keys of the account's files in the storage. */
  async #keys(client: pg.ClientBase): Promise<string[]> {
    const { rows } = await client.query<{ key: string }>(
      `select 'files/' || id || '.bin' as key from files where developer_id = $1 and completed_at is not null
       union select substr(image_url, 8) from products where developer_id = $1 and image_url ~ $2
       union select substr(logo_url, 8) from users where id = $1 and logo_url ~ $2
       union select 'imports/' || p.import_id || '.' || p.format from import_plans p
         join imports i on i.developer_id = p.developer_id and i.id = p.import_id
         where p.developer_id = $1 and i.state not in ('complete', 'undoing', 'undone')
       order by 1`,
      [this.#order.accountId, '^/media/images/[0-9a-f-]{36}[.]webp$'],
    );
    return rows.map(({ key }) => key);
  }

  async #stored(key: string): Promise<void> {
    const found = await this.#deps.storage.get(key);
    if (found) await this.#add(key, found.stream);
    // that of an import is deleted once it is complete
    else if (!key.startsWith('imports/')) this.#missing.push(key);
    this.#order.progress.filesDone += 1;
  }

  /** Adds a file of the archive, and notes what it was. */
  async #add(path: string, source: Readable, ...through: Transform[]): Promise<void> {
    const seen = measured();
    const mtime = this.#order.now;
    this.#zip.addReadStream(seen.through, path, {
      mtime,
      forceDosTimestamp: true,
      compressionLevel: path.startsWith('tables/') ? LEVEL : 0,
      forceZip64Format: true,
    });
    await pipeline([source, ...through, seen.through] as never, { signal: this.#signal });
    this.#files.push({ path, bytes: seen.bytes(), sha256: seen.digest().toString('hex') });
  }

  async #put(path: string, body: Buffer): Promise<void> {
    this.#signal.throwIfAborted();
    this.#zip.addBuffer(body, path, { mtime: this.#order.now, forceDosTimestamp: true });
  }
}

const ident = (name: string) => pg.escapeIdentifier(name);

/** Passes on what it measures. */
function measured() {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  let digest: Buffer | undefined;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return {
    through,
    bytes: () => bytes,
    digest() {
      digest ??= hash.digest();
      return digest;
    },
  };
}

/** Passes on lines, and counts them. */
function counted() {
  let count = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
      done(null, chunk);
    },
  });
  return { through, count: () => count };
}
