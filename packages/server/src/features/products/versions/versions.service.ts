import { type AuditAction, recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { fileIdOf } from '#platform/storage/file-url.ts';
import { momentInWords } from '#platform/time/dates-in-words.ts';
import { limits as policies } from '../limits.ts';
import { lockProduct } from '../products.queries.ts';
import type { OwnFiles } from '../products.service.ts';
import type { ProductsDb, ProductsHandle } from '../tables.ts';
import { platformOf } from './file-platform.ts';
import { countOwners } from './owners.queries.ts';
import type { VersionEmailing } from './version-emails.service.ts';
import {
  addVersion,
  announcedSince,
  findVersion,
  giveFiles,
  isProduct,
  noteVersion,
  removeVersion,
  type VersionRow,
  versionsOf,
} from './versions.queries.ts';
import type {
  AnnouncedVersion,
  AnnounceVersionBody,
  CreateFileVersionBody,
  FileVersionView,
} from './versions.schemas.ts';

/** Port: what the storage knows of files. */
interface FileSizes {
  completeAmong(
    developerId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { name: string; size: number; uploaded_at: Date; sha256: string | null }>>;
}

/** The most versions of one product. Each holds its files in the storage. */
const MOST = 100;

interface Dependencies {
  db: ProductsDb;
  clock: Clock;
  ownFiles: OwnFiles;
  fileSizes: FileSizes;
  limits: RateLimits;
  emailing: VersionEmailing;
}

/** The files of a product by version, so that an older one can be looked up and given out again. */
export class FileVersions {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Newest first. @throws {AppError} not_found */
  async list(developerId: string, productId: string): Promise<FileVersionView[]> {
    const { db } = this.#deps;
    if (!(await isProduct(db, developerId, productId))) throw notFound('Product');
    return this.#views(developerId, await versionsOf(db, developerId, productId));
  }

  /**
   * Keeps the files that the product has now, under a version. The same version with the same files again changes its notes alone,
   * where they are given.
   * @throws {AppError} not_found; domain_rule without files or with too many versions; conflict when the version has other files.
   */
  async record(
    developerId: string,
    productId: string,
    id: string,
    body: CreateFileVersionBody,
  ): Promise<FileVersionView> {
    const { name, notes } = body;
    const made = await this.#deps.db.work({ tx: true }, async (tx) => {
      const product = await lockProduct(tx, developerId, productId);
      const versions = await versionsOf(tx, developerId, productId);
      // an earlier attempt of the same request
      if (versions.some((version) => version.id === id)) return id;
      if (product.file_urls.length === 0)
        throw new AppError('domain_rule', 'The product has no files yet. Add them first.');
      const same = versions.find((version) => version.name === name);
      if (same?.is_current) {
        if (notes !== undefined) await noteVersion(tx, developerId, same.id, notes);
        return same.id;
      }
      if (same)
        throw new AppError('conflict', `Version ${name} has other files. Delete it, or choose another version.`);
      if (versions.length >= MOST)
        throw new AppError('domain_rule', `A product keeps at most ${MOST} versions. Delete one that nobody needs.`);
      const at = this.#deps.clock.now();
      await addVersion(tx, developerId, { id, productId, name, files: product.file_urls, notes: notes ?? '', at });
      await this.#audit(tx, developerId, 'version_recorded', { name, product: product.name, productId });
      return id;
    });
    return this.#one(developerId, productId, made);
  }

  /** Gives customers the files of this version. @throws {AppError} not_found; invalid_request when one of its files is gone. */
  async use(developerId: string, id: string): Promise<FileVersionView> {
    const { product_id: productId } = await this.#find(this.#deps.db, developerId, id);
    await this.#deps.db.work({ tx: true }, async (tx) => {
      const product = await lockProduct(tx, developerId, productId);
      const { name, files } = await this.#find(tx, developerId, id);
      await this.#deps.ownFiles.requireComplete(
        tx,
        developerId,
        files.map((file) => fileIdOf(file.url)),
      );
      if (await giveFiles(tx, developerId, productId, files, this.#deps.clock.now()))
        await this.#audit(tx, developerId, 'version_used', { name, product: product.name, productId });
    });
    return this.#one(developerId, productId, id);
  }

  /**
   * Emails everybody who owns the product about the version that customers get, once, and at most once a day for one product.
   * @throws {AppError} not_found; conflict when it is not current or was announced, or another one was within a day; domain_rule
   * without owners; rate_limited.
   */
  async announce(
    { accountId: developerId, timeZone }: Principal,
    id: string,
    body: AnnounceVersionBody,
  ): Promise<AnnouncedVersion> {
    const { db, limits, emailing } = this.#deps;
    await limits.take(policies.version_emails, developerId);
    const { product_id: productId } = await this.#find(db, developerId, id);
    // the rules before the count, which is long for many customers; nobody waits for it, as it holds nothing
    await db.work({ tx: true }, (tx) => this.#requireAnnounceable(tx, { developerId, productId, id, timeZone }));
    const owners = await countOwners(db, developerId, productId);
    if (!body.dry_run) {
      if (owners === 0) throw new AppError('domain_rule', 'Nobody would get it: no owner wants these emails.');
      await db.work({ tx: true }, async (tx) => {
        const { product, name } = await this.#requireAnnounceable(tx, { developerId, productId, id, timeZone });
        await emailing.begin(tx, developerId, { versionId: id, productId, note: body.note ?? null, expected: owners });
        await this.#audit(tx, developerId, 'version_announced', { name, product, productId });
      });
    }
    return { owners, dry_run: body.dry_run, version: await this.#one(developerId, productId, id) };
  }

  async #requireAnnounceable(
    tx: ProductsHandle,
    { developerId, productId, id, timeZone }: { developerId: string; productId: string; id: string; timeZone: string },
  ) {
    const product = await lockProduct(tx, developerId, productId);
    const version = (await versionsOf(tx, developerId, productId)).find((row) => row.id === id);
    if (!version) throw notFound('Version');
    const { name, is_current, started_at } = version;
    if (started_at) throw new AppError('conflict', `The owners were emailed about version ${name} already.`);
    if (!is_current)
      throw new AppError(
        'conflict',
        `Customers get other files now. Make version ${name} current before you email them.`,
      );
    const dayAgo = new Date(this.#deps.clock.now().getTime() - DAY);
    const recent = await announcedSince(tx, developerId, productId, dayAgo);
    if (recent) {
      const from = momentInWords(new Date(recent.started_at.getTime() + DAY), timeZone);
      throw new AppError(
        'conflict',
        `The owners of “${product.name}” get such an email at most once a day. The next one can go out from ${from}.`,
      );
    }
    return { product: product.name, name };
  }

  /** Forgets a version; what customers get now stays. Its files can then be deleted. @throws {AppError} not_found */
  async delete(developerId: string, id: string): Promise<void> {
    await this.#deps.db.work({ tx: true }, async (tx) => {
      const { name, product_id: productId } = await this.#find(tx, developerId, id);
      const product = await lockProduct(tx, developerId, productId);
      if (!(await removeVersion(tx, developerId, id))) throw notFound('Version');
      await this.#audit(tx, developerId, 'version_deleted', { name, product: product.name, productId });
    });
  }

  async #find(handle: Sql, developerId: string, id: string) {
    const version = await findVersion(handle, developerId, id);
    if (!version) throw notFound('Version');
    return version;
  }

  async #one(developerId: string, productId: string, id: string): Promise<FileVersionView> {
    const rows = await versionsOf(this.#deps.db, developerId, productId);
    const [version] = await this.#views(
      developerId,
      rows.filter((row) => row.id === id),
    );
    if (!version) throw notFound('Version');
    return version;
  }

  /** One developer's versions, with what the storage knows of their files. */
  async #views(developerId: string, rows: VersionRow[]): Promise<FileVersionView[]> {
    const ids = rows.flatMap(({ files }) => files.map((file) => fileIdOf(file.url)).filter((id) => id !== null));
    const stored = await this.#deps.fileSizes.completeAmong(developerId, [...new Set(ids)]);
    return rows.map(({ started_at, ended_at, told, expected, ...row }) => ({
      ...row,
      emails: started_at && { started_at, ended_at, owners: told ?? 0, expected: expected ?? 0 },
      files: row.files.map((file) => {
        const { name, size = null, uploaded_at = null, sha256 = null } = stored.get(fileIdOf(file.url) ?? '') ?? {};
        return { ...file, size, uploaded_at, sha256, ...platformOf(file.name, name ?? file.url) };
      }),
    }));
  }

  #audit(
    tx: Sql,
    developerId: string,
    action: AuditAction,
    { name, product, productId }: { name: string; product: string; productId: string },
  ): Promise<void> {
    const at = this.#deps.clock.now();
    return recordAudit(tx, developerId, { action, at, detail: `${product} ${name}`, objectId: productId });
  }
}
