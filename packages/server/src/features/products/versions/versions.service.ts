import type { Principal } from '../../../platform/access/access.ts';
import { type Clock, DAY } from '../../../platform/clock.ts';
import { momentInWords } from '../../../platform/dates-in-words.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { RateLimits } from '../../../platform/http/rate-limits.ts';
import { fileIdOf } from '../../../platform/storage/file-url.ts';
import { type AuditAction, recordAudit } from '../../audit/index.ts';
import { limits as policies } from '../limits.ts';
import type { FileLink } from '../products.entity.ts';
import type { OwnFiles } from '../products.service.ts';
import { countOwners } from './owners.queries.ts';
import type { VersionEmailing } from './version-emails.service.ts';
import type { AnnouncedVersion, AnnounceVersionBody, FileVersionView } from './versions.schemas.ts';

/** Port: what the storage knows of files. */
interface FileSizes {
  completeAmong(
    developerId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { size: number; uploaded_at: Date }>>;
}

/** Of one product. Each holds its files in the storage. */
const MOST = 100;

interface Dependencies {
  db: Database;
  clock: Clock;
  ownFiles: OwnFiles;
  fileSizes: FileSizes;
  limits: RateLimits;
  emailing: VersionEmailing;
}

interface Row {
  id: string;
  product_id: string;
  name: string;
  files: FileLink[];
  is_current: boolean;
  emails: FileVersionView['emails'];
  created_at: Date;
}

interface Held {
  name: string;
  file_urls: FileLink[];
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
    const known = 'select 1 from products where developer_id = $1 and id = $2 and deleted_at is null';
    if ((await db.query(known, [developerId, productId])).length === 0) throw notFound('Product');
    return this.#views(developerId, await this.#rows(db, developerId, productId));
  }

  /**
   * Keeps the files that the product has now, under a version. The same version with the same files again changes nothing.
   * @throws {AppError} not_found; domain_rule without files or with too many versions; conflict when the version has other files.
   */
  async record(developerId: string, productId: string, id: string, name: string): Promise<FileVersionView> {
    const made = await this.#deps.db.transaction(async (tx) => {
      const product = await this.#hold(tx, developerId, productId);
      const versions = await this.#rows(tx, developerId, productId);
      // an earlier attempt of the same request
      if (versions.some((version) => version.id === id)) return id;
      if (product.file_urls.length === 0)
        throw new AppError('domain_rule', 'The product has no files yet. Add them first.');
      const same = versions.find((version) => version.name === name);
      if (same?.is_current) return same.id;
      if (same)
        throw new AppError('conflict', `Version ${name} has other files. Delete it, or choose another version.`);
      if (versions.length >= MOST)
        throw new AppError('domain_rule', `A product keeps at most ${MOST} versions. Delete one that nobody needs.`);
      const at = this.#deps.clock.now();
      await tx.query(
        `insert into file_versions (developer_id, id, product_id, name, files, created_at) values ($1, $2, $3, $4, $5, $6)`,
        [developerId, id, productId, name, JSON.stringify(product.file_urls), at],
      );
      await this.#audit(tx, developerId, 'version_recorded', { name, product: product.name, productId });
      return id;
    });
    return this.#one(developerId, productId, made);
  }

  /** Gives customers the files of this version. @throws {AppError} not_found; invalid_request when one of its files is gone. */
  async use(developerId: string, id: string): Promise<FileVersionView> {
    const { product_id: productId } = await this.#find(this.#deps.db, developerId, id);
    await this.#deps.db.transaction(async (tx) => {
      const product = await this.#hold(tx, developerId, productId);
      const { name, files } = await this.#find(tx, developerId, id);
      await this.#deps.ownFiles.requireComplete(
        tx,
        developerId,
        files.map((file) => fileIdOf(file.url)),
      );
      // the version of the row too, so that an editor that is open does not put the old files back
      const changed = await tx.query(
        `update products set file_urls = $3, version = version + 1, updated_at = $4
         where developer_id = $1 and id = $2 and file_urls <> $3::jsonb returning id`,
        [developerId, productId, JSON.stringify(files), this.#deps.clock.now()],
      );
      if (changed.length > 0)
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
    { userId: developerId, timeZone }: Principal,
    id: string,
    body: AnnounceVersionBody,
  ): Promise<AnnouncedVersion> {
    const { db, limits, emailing } = this.#deps;
    await limits.take(policies.version_emails, developerId);
    const { product_id: productId } = await this.#find(db, developerId, id);
    // the rules before the count, which is long for many customers; nobody waits for it, as it holds nothing
    await db.transaction((tx) => this.#requireAnnounceable(tx, { developerId, productId, id, timeZone }));
    const owners = await countOwners(db, developerId, productId);
    if (!body.dry_run) {
      if (owners === 0) throw new AppError('domain_rule', 'Nobody would get it: no owner wants these emails.');
      await db.transaction(async (tx) => {
        const { product, name } = await this.#requireAnnounceable(tx, { developerId, productId, id, timeZone });
        await emailing.begin(tx, developerId, { versionId: id, productId, note: body.note ?? null, expected: owners });
        await this.#audit(tx, developerId, 'version_announced', { name, product, productId });
      });
    }
    return { owners, dry_run: body.dry_run, version: await this.#one(developerId, productId, id) };
  }

  async #requireAnnounceable(
    tx: Sql,
    { developerId, productId, id, timeZone }: { developerId: string; productId: string; id: string; timeZone: string },
  ) {
    const product = await this.#hold(tx, developerId, productId);
    const version = (await this.#rows(tx, developerId, productId)).find((row) => row.id === id);
    if (!version) throw notFound('Version');
    const { name, is_current, emails } = version;
    if (emails) throw new AppError('conflict', `The owners were emailed about version ${name} already.`);
    if (!is_current)
      throw new AppError(
        'conflict',
        `Customers get other files now. Make version ${name} current before you email them.`,
      );
    const [recent] = await tx.query<{ started_at: Date }>(
      `select started_at from version_emails where developer_id = $1 and product_id = $2 and started_at > $3
       order by started_at desc limit 1`,
      [developerId, productId, new Date(this.#deps.clock.now().getTime() - DAY)],
    );
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
    await this.#deps.db.transaction(async (tx) => {
      const { name, product_id: productId } = await this.#find(tx, developerId, id);
      const product = await this.#hold(tx, developerId, productId);
      const gone = await tx.query('delete from file_versions where developer_id = $1 and id = $2 returning id', [
        developerId,
        id,
      ]);
      if (gone.length === 0) throw notFound('Version');
      await this.#audit(tx, developerId, 'version_deleted', { name, product: product.name, productId });
    });
  }

  /** The product, whose files and versions stay as they are until the transaction ends. */
  async #hold(sql: Sql, developerId: string, productId: string): Promise<Held> {
    const [product] = await sql.query<Held>(
      `select name, file_urls from products where developer_id = $1 and id = $2 and deleted_at is null for no key update`,
      [developerId, productId],
    );
    if (!product) throw notFound('Product');
    return product;
  }

  async #find(sql: Sql, developerId: string, id: string): Promise<Pick<Row, 'name' | 'product_id' | 'files'>> {
    const [version] = await sql.query<Pick<Row, 'name' | 'product_id' | 'files'>>(
      'select name, product_id, files from file_versions where developer_id = $1 and id = $2',
      [developerId, id],
    );
    if (!version) throw notFound('Version');
    return version;
  }

  async #one(developerId: string, productId: string, id: string): Promise<FileVersionView> {
    const rows = await this.#rows(this.#deps.db, developerId, productId);
    const [version] = await this.#views(
      developerId,
      rows.filter((row) => row.id === id),
    );
    if (!version) throw notFound('Version');
    return version;
  }

  #rows(sql: Sql, developerId: string, productId: string): Promise<Row[]> {
    return sql.query<Row>(
      `select v.id, v.product_id, v.name, v.files, v.created_at, v.files = p.file_urls as is_current,
         case when e.id is not null then jsonb_build_object('started_at', e.started_at, 'ended_at', e.ended_at, 'owners', e.told, 'expected', e.expected) end as emails
       from file_versions v join products p on (p.developer_id, p.id) = (v.developer_id, v.product_id)
         left join version_emails e on (e.developer_id, e.id) = (v.developer_id, v.id)
       where v.developer_id = $1 and v.product_id = $2 order by v.created_at desc, v.id desc`,
      [developerId, productId],
    );
  }

  /** Of one developer, with what the storage knows of their files. */
  async #views(developerId: string, rows: Row[]): Promise<FileVersionView[]> {
    const ids = rows.flatMap(({ files }) => files.map((file) => fileIdOf(file.url)).filter((id) => id !== null));
    const stored = await this.#deps.fileSizes.completeAmong(developerId, [...new Set(ids)]);
    return rows.map((row) => ({
      ...row,
      emails: row.emails && inDates(row.emails),
      files: row.files.map((file) => {
        const { size = null, uploaded_at = null } = stored.get(fileIdOf(file.url) ?? '') ?? {};
        return { ...file, size, uploaded_at };
      }),
    }));
  }

  #audit(
    sql: Sql,
    developerId: string,
    action: AuditAction,
    { name, product, productId }: { name: string; product: string; productId: string },
  ): Promise<void> {
    const at = this.#deps.clock.now();
    return recordAudit(sql, developerId, { action, at, detail: `${product} ${name}`, objectId: productId });
  }
}

/** JSON has no dates. */
function inDates({ started_at, ended_at, ...counts }: NonNullable<Row['emails']>): FileVersionView['emails'] {
  return { started_at: new Date(started_at), ended_at: ended_at === null ? null : new Date(ended_at), ...counts };
}
