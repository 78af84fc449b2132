import { type Clock, HOUR } from '../../../platform/clock.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { jobKind } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Language } from '../../../platform/languages.ts';
import { mailIdOf } from './mail-id.ts';
import { BATCH, nextCustomers } from './owners.queries.ts';

/** One batch of emails. @see VersionEmailing */
interface BatchJob {
  developerId: string;
  versionId: string;
  /** The last customer of the batch before; null: this is the first one. */
  after: string | null;
}

export const versionEmailsJob = jobKind<BatchJob>({
  name: 'version-emails',
  retryLimit: 12,
  retryDelay: 5,
  expireInSeconds: 120,
});

/** Port: queues the emails in the caller's transaction. */
export interface OwnerEmails {
  /** @returns how many were queued; null when the account is closed. */
  newVersion(
    sql: Sql,
    developerId: string,
    version: { product: string; version: string; imageUrl: string | null; note: string | null },
    owners: readonly {
      mailId: string;
      customerId: string;
      email: string;
      name: string | null;
      language: Language | null;
      code: string;
      proof: string;
      proven: boolean;
    }[],
  ): Promise<number | null>;
}

/** Port: what opens the downloads of serials, for a link in an email. */
export interface Proofs {
  signMailed(developerId: string, serialIds: string[], to: { customerId: string; email: string }): string;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  jobs: Jobs;
  ownerEmails: OwnerEmails;
  downloadProofs: Proofs;
}

interface Going {
  product_id: string;
  product: string;
  image_url: string | null;
  version: string | null;
  is_current: boolean | null;
  product_deleted: boolean;
  note: string | null;
  started_at: Date;
  last_created_at: Date | null;
  last_id: string | null;
}

/** Longer than a batch and all its repeats take. */
const STUCK = 6 * HOUR;

/** Emails to the owners of a product about a new version, a batch per transaction and job. */
export class VersionEmailing {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** In the transaction that decides it. */
  async begin(
    sql: Sql,
    developerId: string,
    { versionId, productId, ...rest }: { versionId: string; productId: string; note: string | null; expected: number },
  ): Promise<void> {
    const { clock, jobs } = this.#deps;
    await sql.query(
      `insert into version_emails (developer_id, id, product_id, note, expected, started_at, moved_at)
       values ($1, $2, $3, $4, $5, $6, $6)`,
      [developerId, versionId, productId, rest.note, rest.expected, clock.now()],
    );
    await jobs.enqueue(sql, versionEmailsJob, { developerId, versionId, after: null });
  }

  /**
   * The job: the batch after a customer, unless an earlier attempt has done it. Ends early when the product, the version or the
   * account is gone, or customers get other files by now: taking a version back stops its emails.
   */
  async run({ developerId, versionId, after }: BatchJob): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    await db.transaction(async (tx) => {
      const going = await this.#hold(tx, developerId, versionId);
      if (!going || going.last_id !== after) return;
      const { queued, last } = await this.#tell(tx, developerId, versionId, going);
      const now = clock.now();
      await tx.query(
        `update version_emails set told = told + $3, moved_at = $4, last_created_at = coalesce($5, last_created_at),
           last_id = coalesce($6, last_id), ended_at = $7 where developer_id = $1 and id = $2`,
        [developerId, versionId, queued, now, last?.created_at ?? null, last?.id ?? null, last ? null : now],
      );
      if (last) await jobs.enqueue(tx, versionEmailsJob, { developerId, versionId, after: last.id });
    });
  }

  /** Hourly: continues where the queue has given up. */
  async resume(): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    await db.transaction(async (tx) => {
      const stuck = await tx.query<BatchJob>(
        `/* across tenants: housekeeping */ update version_emails set moved_at = $1 where ended_at is null and moved_at < $2
         returning developer_id as "developerId", id as "versionId", last_id as after`,
        [clock.now(), new Date(clock.now().getTime() - STUCK)],
      );
      await jobs.enqueueAll(tx, versionEmailsJob, stuck);
    });
  }

  async #hold(tx: Sql, developerId: string, versionId: string): Promise<Going | undefined> {
    const [going] = await tx.query<Going>(
      `select e.product_id, e.note, e.started_at, e.last_created_at, e.last_id, p.name as product, p.image_url,
         p.deleted_at is not null as product_deleted, v.name as version, v.files = p.file_urls as is_current
       from version_emails e join products p on (p.developer_id, p.id) = (e.developer_id, e.product_id)
         left join file_versions v on (v.developer_id, v.id) = (e.developer_id, e.id)
       where e.developer_id = $1 and e.id = $2 and e.ended_at is null for update of e`,
      [developerId, versionId],
    );
    return going;
  }

  /** @returns `last`: whom the next batch begins after; null when there is none. */
  async #tell(tx: Sql, developerId: string, versionId: string, going: Going) {
    const { product_id: productId, started_at: startedAt, product, image_url: imageUrl, version, note } = going;
    const ended = { queued: 0, last: null };
    if (going.product_deleted || version === null || !going.is_current) return ended;
    const rows = await nextCustomers(tx, developerId, { productId, startedAt, place: going });
    const owners = rows.flatMap(({ id, email, name, language, proven, serial_id, code }) => {
      if (serial_id === null || code === null) return [];
      const proof = this.#deps.downloadProofs.signMailed(developerId, [serial_id], { customerId: id, email });
      const mailId = mailIdOf(startedAt, versionId, id);
      return [{ mailId, customerId: id, email, name: name || null, language, code, proof, proven }];
    });
    const fact = { product, version, imageUrl, note };
    const queued = await this.#deps.ownerEmails.newVersion(tx, developerId, fact, owners);
    if (queued === null) return ended;
    return { queued, last: rows.length < BATCH ? null : (rows.at(-1) ?? null) };
  }
}
