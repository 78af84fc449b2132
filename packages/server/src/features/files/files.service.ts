import { Readable } from 'node:stream';
import type { Asked } from '#features/branding';
import { type Clock, DAY, HOUR, MINUTE } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Logger } from '#platform/log.ts';
import type { Random } from '#platform/random.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { fileIdOf } from '#platform/storage/file-url.ts';
import type { ByteRange, Storage, StoredObject } from '#platform/storage/storage.ts';
import { safeFileName } from './file-name.ts';
import * as q from './files.queries.ts';
import { type FileView, PART_SIZE } from './files.schemas.ts';
import { hashFileJob, sha256Of } from './hash-file.ts';
import type { FilesDb } from './tables.ts';

const LINK_LIFETIME = 15 * MINUTE;
const UPLOAD_LIFETIME = 7 * DAY;
/** A complete upload that has not been assembled for this long is no longer being worked on. */
const FINISHING = 60 * MINUTE;
/** Attempts at one part have numbers of their own; 640 parts of 15 attempts stay below S3's 10,000. */
const ATTEMPTS = 15;
/** The most files without a hash that housekeeping takes up at once: each is read to its end. */
const HASHED_AT_ONCE = 50;
/** A file whose hash is missing for so long is tried again. */
const UNHASHED = HOUR;

/** Port: the serials that files were handed out to. */
export interface OpenSerials {
  /** True while the downloads of a serial are open. */
  downloadsOpen(developerId: string, serialId: string): Promise<boolean>;
}

interface Dependencies {
  db: FilesDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  storage: Storage;
  jobs: Pick<Jobs, 'enqueue'>;
  log: Logger;
  publicUrl: string;
  serials: OpenSerials;
}

interface Part {
  offset: number;
  /** As announced; undefined when nothing was. */
  length: number | undefined;
  body: Readable;
}

/** A complete file, as other features see it. */
interface CompleteFile {
  name: string;
  size: number;
  uploaded_at: Date;
  /** Lower-case hexadecimal; null until it has been computed. */
  sha256: string | null;
}

/** What a download needs. */
export interface OpenFile {
  id: string;
  name: string;
  size: number;
  completedAt: Date;
}

/** The part does not begin where the next one has to. */
export class WrongOffset extends AppError {
  readonly received: number;

  constructor(received: number) {
    super('conflict', `The next part begins at byte ${received}.`);
    this.received = received;
  }
}

/** Product files in our own storage: sent in parts by the developer, read through signed links. */
export class Files {
  readonly #deps: Dependencies;
  readonly #links: TokenMint<{ dev: string; file: string; serial?: string }>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#links = new TokenMint(deps.secrets, 'file-link', deps.clock);
  }

  async create(developerId: string, id: string, form: { name: string; size: number }): Promise<FileView> {
    const { db, clock, storage } = this.#deps;
    const uploadId = await reached(storage.beginParts(keyOf(id), 'application/octet-stream'));
    const file = { id, developerId, name: safeFileName(form.name), size: form.size, uploadId, now: clock.now() };
    // a repeat after a crash finds its file there and needs no second upload
    if (!(await q.insertFile(db, file))) await storage.abortParts(keyOf(id), uploadId);
    return this.get(developerId, id);
  }

  async list(developerId: string, page: { cursor?: string | undefined; limit: number; count: boolean }) {
    const { rows, total } = await q.findFiles(this.#deps.db, {
      developerId,
      after: decodeIdCursor(page.cursor),
      limit: page.limit + 1,
      count: page.count,
    });
    const shown = pageOf(rows, page.limit);
    return { ...shown, rows: shown.rows.map(q.viewOf), total };
  }

  /** @throws {AppError} not_found, also for another developer's file. */
  async get(developerId: string, id: string): Promise<FileView> {
    return q.viewOf(await this.#own(developerId, id));
  }

  /**
   * Stores the part that begins at `received`. It counts when it is whole; of simultaneous attempts the first to be
   * whole counts. A last part, or an empty one behind it, puts the file together.
   * @throws {WrongOffset} when another part is awaited.
   */
  async uploadPart(developerId: string, id: string, part: Part): Promise<FileView> {
    const { db, clock, storage } = this.#deps;
    const file = await this.#own(developerId, id);
    if (part.offset !== file.received) throw new WrongOffset(file.received);
    const size = Math.min(PART_SIZE, file.size - file.received);
    if (part.length !== size) throw invalidField('content-length', `This part must have exactly ${size} bytes.`);
    if (size === 0) return q.viewOf(file.completed_at ? file : await this.#finish(file));

    const attempt = await q.countAttempt(db, file, part.offset);
    if (attempt === null) throw await this.#overtaken(file);
    const number = (part.offset / PART_SIZE) * ATTEMPTS + ((attempt - 1) % ATTEMPTS) + 1;
    const body = Readable.from(bytesOf(part.body), { objectMode: false });
    const receipt = await reached(storage.putPart(keyOf(id), file.upload_id, number, body, size));
    const accepted = await q.acceptPart(db, { ...file, offset: part.offset, size, receipt, now: clock.now() });
    if (!accepted) throw await this.#overtaken(file);
    return q.viewOf(accepted.received === accepted.size ? await this.#finish(accepted) : accepted);
  }

  /** Deletes a file or an unfinished upload. Downloads that run are read to their end. */
  async delete(developerId: string, id: string): Promise<void> {
    const file = await this.#deps.db.work({ tx: true }, async (tx) => {
      // a product that takes the file just now finishes first; then it is seen
      const found = await q.holdFile(tx, developerId, id);
      if (!found) throw notFound('File');
      const product = await q.productWith(tx, found);
      if (product !== undefined) {
        throw new AppError('conflict', `The product “${product}” has this file. Remove it there first.`);
      }
      const version = await q.versionWith(tx, found);
      if (version) {
        const name = `Version ${version.name} of “${version.product}”`;
        throw new AppError('conflict', `${name} has this file. Delete that version first.`);
      }
      await q.deleteFile(tx, found);
      return found;
    });
    await this.#discard(file);
  }

  /** The names of a product's own files, in the order of the ids; null for rows that are not own files. */
  async requireComplete(sql: Sql, developerId: string, ids: readonly (string | null)[]): Promise<(string | null)[]> {
    const wanted = ids.filter((id) => id !== null);
    if (wanted.length === 0) return ids.map(() => null);
    const names = new Map((await q.lockComplete(sql, developerId, wanted)).map((file) => [file.id, file.name]));
    return ids.map((id, row) => {
      if (id === null) return null;
      const name = names.get(id);
      if (name === undefined) throw invalidField(`file_urls.${row}.url`, 'This is not a complete file of yours.');
      return name;
    });
  }

  /** Those of these files that are complete. */
  async completeAmong(developerId: string, ids: readonly string[]): Promise<ReadonlyMap<string, CompleteFile>> {
    return new Map(
      (await q.completeAmong(this.#deps.db, developerId, ids)).map(({ id, name, size, completed_at, sha256 }) => [
        id,
        { name, size, uploaded_at: completed_at, sha256: q.hexOf(sha256) },
      ]),
    );
  }

  /**
   * A link to the file that a product names so, for a quarter of an hour, or until the serial's downloads close; null
   * for an address elsewhere.
   * @throws {AppError} not_found when the file is gone.
   */
  async signedUrl(developerId: string, url: string, serialId: string): Promise<string | null> {
    const id = fileIdOf(url);
    if (id === null) return null;
    const file = await q.findFile(this.#deps.db, developerId, id);
    if (!file?.completed_at || !(await reached(this.#deps.storage.stat(keyOf(id))))) throw notFound('File');
    return this.#link(file, serialId);
  }

  /** The same for the developer's own eyes. */
  async ownLink(developerId: string, id: string): Promise<string> {
    const file = await this.#own(developerId, id);
    if (!file.completed_at) throw new AppError('conflict', 'The file is not complete yet.');
    return this.#link(file);
  }

  /**
   * @throws {AppError} download_token_invalid for a link that is not ours or too old, serial_revoked when the serial
   * that it was handed out to is closed, not_found when the file is gone.
   */
  async open(token: string): Promise<OpenFile> {
    const claims = this.#links.verify(token);
    if (!claims) throw new AppError('download_token_invalid', 'This link has expired. Open your downloads again.');
    if (claims.serial !== undefined && !(await this.#deps.serials.downloadsOpen(claims.dev, claims.serial))) {
      throw new AppError('serial_revoked', 'This license has been suspended.');
    }
    const file = await q.findFile(this.#deps.db, claims.dev, claims.file);
    if (!file?.completed_at) throw notFound('File');
    return { id: file.id, name: file.name, size: file.size, completedAt: file.completed_at };
  }

  /** Whose a link is, also when it is too old; nothing for one that is not ours. */
  async about(token: string): Promise<Asked> {
    const claims = this.#links.read(token);
    const file = claims && (await q.findFile(this.#deps.db, claims.dev, claims.file));
    return file ? { developerId: file.developer_id, product: file.name } : {};
  }

  async read(file: OpenFile, range: ByteRange | null): Promise<StoredObject> {
    const found = await reached(this.#deps.storage.get(keyOf(file.id), range ?? undefined));
    if (!found) throw notFound('File');
    return found;
  }

  /** Finishes uploads that a crash left one step before the end, and removes abandoned ones. */
  async expireUploads(): Promise<void> {
    const { db, clock, log } = this.#deps;
    const now = clock.now().getTime();
    const old = new Date(now - UPLOAD_LIFETIME);
    for (const file of await q.staleUploads(db, new Date(now - FINISHING))) {
      try {
        if (file.received === file.size) await this.#finish(file);
        else if (await q.deleteStale(db, file, old)) await this.#discard(file);
      } catch (error) {
        log.warn({ err: error, file: file.id }, 'an unfinished upload could not be settled');
      }
    }
  }

  /** The job: computes the hash of a complete file. One that is gone meanwhile needs none. */
  async hash({ developerId, fileId }: { developerId: string; fileId: string }): Promise<void> {
    const { db, storage, log } = this.#deps;
    const file = await q.findFile(db, developerId, fileId);
    if (!file?.completed_at || file.sha256) return;
    const stored = await storage.get(keyOf(fileId));
    if (!stored) {
      log.warn({ file: fileId }, 'a file is not in the storage, and gets no hash');
      return;
    }
    const { sha256, size } = await sha256Of(stored.stream);
    if (size !== file.size) throw new Error(`read ${size} of ${file.size} bytes of file ${fileId}`);
    await q.keepHash(db, file, sha256);
  }

  /** Takes up files that have no hash yet: those from before there were hashes, and those whose job gave up. */
  async hashRest(): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    const now = clock.now();
    for (const file of await q.unhashedFiles(db, new Date(now.getTime() - UNHASHED), HASHED_AT_ONCE)) {
      await db.work({ tx: true }, async (tx) => {
        await q.noteTried(tx, file, now);
        await jobs.enqueue(tx, hashFileJob, { developerId: file.developer_id, fileId: file.id });
      });
    }
  }

  async #own(developerId: string, id: string): Promise<q.FileRow> {
    const file = await q.findFile(this.#deps.db, developerId, id);
    if (!file) throw notFound('File');
    return file;
  }

  /** Assembles the parts. Doing it twice, even concurrently, is harmless. */
  async #finish(file: q.FileRow): Promise<q.FileRow> {
    const { db, clock, storage, jobs } = this.#deps;
    const key = keyOf(file.id);
    try {
      await storage.completeParts(key, file.upload_id, file.parts.map(String));
    } catch (error) {
      if ((await reached(storage.stat(key)))?.size !== file.size) throw unreachable(error);
    }
    const { developer_id: developerId, id: fileId } = file;
    await q.markComplete(db, file, clock.now(), (tx) => jobs.enqueue(tx, hashFileJob, { developerId, fileId }));
    const done = await q.findFile(db, file.developer_id, file.id);
    if (done) return done;
    await storage.delete(key);
    throw notFound('File');
  }

  /** The error for a part that is no longer expected. */
  async #overtaken(file: q.FileRow): Promise<AppError> {
    const now = await q.findFile(this.#deps.db, file.developer_id, file.id);
    if (now) return new WrongOffset(now.received);
    await this.#discard(file);
    return notFound('File');
  }

  /** The row is gone: what the storage has may not bring it back, nor fail the request. */
  async #discard(file: q.FileRow): Promise<void> {
    const { storage, log } = this.#deps;
    try {
      if (!file.completed_at) await storage.abortParts(keyOf(file.id), file.upload_id);
      await storage.delete(keyOf(file.id));
    } catch (error) {
      log.warn({ err: error, file: file.id }, 'a deleted file is still in the storage');
    }
  }

  #link(file: q.FileRow, serial?: string): string {
    const claims = { dev: file.developer_id, file: file.id, ...(serial ? { serial } : {}) };
    const token = this.#links.sign(claims, LINK_LIFETIME);
    return `${this.#deps.publicUrl}/media/files/${token}/${encodeURIComponent(file.name)}`;
  }
}

/** Passed on instead of a body: a failing storage would break the connection, and the client would never learn why. */
async function* bytesOf(body: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
}

async function reached<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unreachable(error);
  }
}

function unreachable(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const message = 'The file storage cannot be used right now. Try again in a moment.';
  return new AppError('unavailable', message, { cause, retryAfter: 2 });
}

function keyOf(id: string): string {
  return `files/${id}.bin`;
}
