import { confirmPassword } from '#features/accounts';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import { type Envelope, envelopeFor } from '#platform/archive/age.ts';
import { AccountDeletedError, type ArchiveProgress, writeArchive } from '#platform/archive/write-archive.ts';
import { DAY, HOUR, SECOND } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Base } from '#platform/feature.ts';
import { jobKind } from '#platform/jobs/job.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import type { ByteRange, StoredObject } from '#platform/storage/storage.ts';
import * as q from './archives.queries.ts';
import type { AccountArchiveView, CreateArchiveBody } from './archives.schemas.ts';
import { limits as policies } from './limits.ts';
import { type ArchivesDb, tables } from './tables.ts';

export const archiveJob = jobKind<q.ArchiveKey>({
  name: 'account-archive',
  retryLimit: 2,
  retryDelay: 10,
  expireInSeconds: 12 * 3600,
  isTakenOver: true,
});
/** Deletes files whose rows are gone. */
export const archiveRemovalJob = jobKind<{ ids: string[] }>({
  name: 'account-archive-removal',
  retryLimit: 20,
  retryDelay: 30,
  expireInSeconds: 600,
});

/** They hold all that an account has: they are not kept for longer than it takes to fetch them. */
const KEPT = 7 * DAY;
const MOST = 3;
const BEAT = SECOND;
/** A process that has shown nothing for so long is gone. */
const SILENT = 60 * SECOND;
const UNTAKEN = 6 * HOUR;
const LINK_LIFETIME = HOUR;
const PURPOSE = 'archive-key';
const DIED = 'The server stopped while it was made. Make another one.';
const BROKE = 'The server could not make it. Try again; its operator finds the reason in the log.';

/** Everything of an account, in one file that can be restored on another server. */
export class Archives {
  readonly #deps: Base;
  readonly #db: ArchivesDb;
  readonly #links: TokenMint<{ dev: string; archive: string }>;

  constructor(deps: Base) {
    this.#deps = deps;
    this.#db = tables.of(deps.db);
    this.#links = new TokenMint(deps.secrets, 'archive-link', deps.clock);
  }

  /**
   * Lets an archive be made, as a job. The passphrase is used here and not kept.
   * @param id the same for a repeat of the same request
   * @throws {AppError} wrong_password; conflict while another one is made, or too many are kept.
   */
  async create({ accountId }: Principal, id: string, form: CreateArchiveBody): Promise<AccountArchiveView> {
    const { clock, random, secrets, jobs, limits } = this.#deps;
    await confirmPassword(this.#deps, accountId, form.password, 'password');
    const key = { developerId: accountId, id };
    const again = await q.findArchive(this.#db, key);
    if (again) return view(again);
    await limits.take(policies.archives, accountId);
    const { fileKey, head } = await envelopeFor(form.passphrase, (count) => random.bytes(count));
    await this.#db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      await q.failSilent(tx, accountId, { before: new Date(now.getTime() - SILENT), error: DIED, now });
      const kept = (await q.listArchives(tx, accountId)).filter(({ state }) => state === 'complete');
      if (kept.length >= MOST)
        throw new AppError('conflict', `${MOST} archives of the account are kept already. Delete one first.`);
      if (!(await q.addArchive(tx, key, { fileKey: secrets.seal(fileKey, PURPOSE), head, now })))
        throw new AppError('conflict', 'An archive of the account is being made already. Wait for it, or delete it.');
      await recordAudit(tx, accountId, { action: 'archive_made', at: now });
      await jobs.enqueue(tx, archiveJob, key);
    });
    return this.get(accountId, id);
  }

  async list(accountId: string): Promise<{ archives: AccountArchiveView[] }> {
    return { archives: (await q.listArchives(this.#db, accountId)).map(view) };
  }

  /** @throws {AppError} not_found */
  async get(accountId: string, id: string): Promise<AccountArchiveView> {
    const found = await q.findArchive(this.#db, { developerId: accountId, id });
    if (!found) throw notFound('Archive');
    return view(found);
  }

  /** Deletes one, or stops what makes it. @throws {AppError} not_found */
  async delete(accountId: string, id: string): Promise<void> {
    const { jobs } = this.#deps;
    const deleted = await this.#db.work({ tx: true }, async (tx) => {
      if (!(await q.deleteArchive(tx, { developerId: accountId, id }))) return false;
      await jobs.enqueue(tx, archiveRemovalJob, { ids: [id] });
      return true;
    });
    if (!deleted) throw notFound('Archive');
  }

  /** An address for the file that needs no credential. @throws {AppError} not_found; conflict before it is complete. */
  async link(accountId: string, id: string): Promise<string> {
    const { state } = await this.get(accountId, id);
    if (state !== 'complete') throw new AppError('conflict', 'The archive is not complete.');
    const token = this.#links.sign({ dev: accountId, archive: id }, LINK_LIFETIME);
    return `${this.#deps.publicUrl}/media/archives/${token}/${nameOf(id)}`;
  }

  /** Opens the archive of such an address. @throws {AppError} download_token_invalid; not_found when it was deleted. */
  async open(token: string): Promise<{ id: string; name: string; size: number; completedAt: Date }> {
    const claims = this.#links.verify(token);
    if (!claims) throw new AppError('download_token_invalid', 'This link has expired. Ask for the archive again.');
    const found = await q.findArchive(this.#db, { developerId: claims.dev, id: claims.archive });
    if (!found?.size || !found.finished_at) throw notFound('Archive');
    return { id: found.id, name: nameOf(found.id), size: found.size, completedAt: found.finished_at };
  }

  async read(file: { id: string }, range: ByteRange | null): Promise<StoredObject> {
    const found = await this.#deps.storage.get(keyOf(file.id), range ?? undefined);
    if (!found) throw notFound('Archive');
    return found;
  }

  /** The job of one archive. May be called again after a crash: it begins anew. */
  async work(job: q.ArchiveKey): Promise<void> {
    const { clock, secrets, log } = this.#deps;
    const begun = await q.beginArchive(this.#db, job, clock.now());
    // deleted meanwhile, or ended
    if (!begun?.file_key) return;
    const key = { ...job, attempt: begun.attempt };
    try {
      const envelope = { fileKey: secrets.open(Buffer.from(begun.file_key), PURPOSE), head: begun.head };
      await this.#write(key, envelope);
    } catch (error) {
      if (!(error instanceof AccountDeletedError)) log.error({ err: error, archive: job.id }, 'an archive failed');
      const why = error instanceof AppError ? error.message : BROKE;
      await q.failArchive(this.#db, key, why, clock.now());
    }
  }

  async #write(key: q.ArchiveKey & { attempt: number }, envelope: Envelope): Promise<void> {
    const { clock, storage } = this.#deps;
    const progress: ArchiveProgress = { tables: 0, tablesDone: 0, files: 0, filesDone: 0, rows: 0 };
    const stop = new AbortController();
    const beat = setInterval(() => {
      q.noteProgress(this.#db, key, progress, clock.now()).then(
        (ours) => ours || stop.abort(new AccountDeletedError('the archive was deleted')),
        // the next one may get through
        () => undefined,
      );
    }, BEAT);
    try {
      const order = { accountId: key.developerId, key: keyOf(key.id), envelope, now: clock.now(), progress };
      const written = await writeArchive(this.#deps, { ...order, signal: stop.signal });
      await q.noteProgress(this.#db, key, progress, clock.now());
      if (!(await q.finishArchive(this.#db, key, written, clock.now()))) await storage.delete(keyOf(key.id));
    } finally {
      clearInterval(beat);
    }
  }

  /** Deletes an account's archives, in the transaction that deletes the account. */
  async deleteOf(handle: Sql, accountId: string): Promise<void> {
    const ids = await q.deleteAllOf(tables.in(handle), accountId);
    if (ids.length > 0) await this.#deps.jobs.enqueue(handle, archiveRemovalJob, { ids });
  }

  async remove({ ids }: { ids: string[] }): Promise<void> {
    for (const id of ids) await this.#deps.storage.delete(keyOf(id));
  }

  async expire(): Promise<void> {
    const now = this.#deps.clock.now();
    const [before, waiting] = [new Date(now.getTime() - SILENT), new Date(now.getTime() - UNTAKEN)];
    await q.failAllSilent(this.#db, { before, waiting, error: DIED, now });
    for (const key of await q.findOld(this.#db, new Date(now.getTime() - KEPT))) {
      await this.#deps.storage.delete(keyOf(key.id));
      await q.deleteArchive(this.#db, key);
    }
  }
}

const keyOf = (id: string) => `archives/${id}.zip`;
const nameOf = (id: string) => `tonerow-account-${id}.zip`;

function view({ sha256, ...row }: q.ArchiveRow): AccountArchiveView {
  return {
    ...row,
    sha256: sha256 && Buffer.from(sha256).toString('hex'),
    expires_at: row.finished_at && new Date(row.finished_at.getTime() + KEPT),
  };
}
