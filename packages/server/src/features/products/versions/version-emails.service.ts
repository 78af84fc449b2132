import { sql } from 'kysely';
import { type Clock, HOUR } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { acrossTenants, joinOwn, leftJoinOwn } from '#platform/db/tenant.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Language } from '#platform/text/languages.ts';
import { type ProductsDb, type ProductsHandle, tables } from '../tables.ts';
import { emailIdOf } from './email-id.ts';
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
      emailId: string;
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
  signEmailed(developerId: string, serialIds: string[], to: { customerId: string; email: string }): string;
}

interface Dependencies {
  db: ProductsDb;
  clock: Clock;
  jobs: Jobs;
  ownerEmails: OwnerEmails;
  downloadProofs: Proofs;
}

type Going = NonNullable<Awaited<ReturnType<typeof hold>>>;

/** Longer than a batch and all its repeats take. */
const STUCK = 6 * HOUR;

/** Emails to the owners of a product about a new version, a batch per transaction and job. */
export class VersionEmailing {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Begins in the transaction that decides it. */
  async begin(
    tx: Sql,
    developerId: string,
    { versionId, productId, ...rest }: { versionId: string; productId: string; note: string | null; expected: number },
  ): Promise<void> {
    const { clock, jobs } = this.#deps;
    const now = clock.now();
    await tables
      .in(tx)
      .insertInto('version_emails')
      .values({
        developer_id: developerId,
        id: versionId,
        product_id: productId,
        note: rest.note,
        expected: rest.expected,
        started_at: now,
        moved_at: now,
      })
      .execute();
    await jobs.enqueue(tx, versionEmailsJob, { developerId, versionId, after: null });
  }

  /**
   * The job: the batch after a customer, unless an earlier attempt has done it. Ends early when the product, the version or the
   * account is gone, or customers get other files by now: taking a version back stops its emails.
   */
  async run({ developerId, versionId, after }: BatchJob): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const going = await hold(tx, developerId, versionId);
      if (!going || going.last_id !== after) return;
      const { queued, last } = await this.#queueBatch(tx, developerId, versionId, going);
      const now = clock.now();
      await tx
        .updateTable('version_emails')
        .set((eb) => ({
          told: eb('told', '+', queued),
          moved_at: now,
          last_created_at: last?.created_at,
          last_id: last?.id,
          ended_at: last ? null : now,
        }))
        .where('developer_id', '=', developerId)
        .where('id', '=', versionId)
        .execute();
      if (last) await jobs.enqueue(tx, versionEmailsJob, { developerId, versionId, after: last.id });
    });
  }

  /** Hourly: continues where the queue has given up. */
  async resume(): Promise<void> {
    const { db, clock, jobs } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const stuck: BatchJob[] = await tx
        .updateTable('version_emails')
        .set({ moved_at: clock.now() })
        .where('ended_at', 'is', null)
        .where('moved_at', '<', new Date(clock.now().getTime() - STUCK))
        .returning(['developer_id as developerId', 'id as versionId', 'last_id as after'])
        .modifyEnd(acrossTenants('housekeeping'))
        .execute();
      await jobs.enqueueAll(tx, versionEmailsJob, stuck);
    });
  }

  /** @returns `last`: the next batch starts after it; null when there is none. */
  async #queueBatch(tx: ProductsHandle, developerId: string, versionId: string, going: Going) {
    const { product_id: productId, started_at: startedAt, product, image_url: imageUrl, version, note } = going;
    const ended = { queued: 0, last: null };
    if (going.product_deleted_at || version === null || !going.is_current) return ended;
    const rows = await nextCustomers(tx, developerId, { productId, startedAt, place: going });
    const owners = rows.flatMap(({ id, email, name, language, proven, serial_id, code }) => {
      if (serial_id === null || code === null) return [];
      const proof = this.#deps.downloadProofs.signEmailed(developerId, [serial_id], { customerId: id, email });
      const emailId = emailIdOf(startedAt, versionId, id);
      return [{ emailId, customerId: id, email, name: name || null, language, code, proof, proven }];
    });
    const fact = { product, version, imageUrl, note };
    const queued = await this.#deps.ownerEmails.newVersion(tx, developerId, fact, owners);
    if (queued === null) return ended;
    return { queued, last: rows.length < BATCH ? null : (rows.at(-1) ?? null) };
  }
}

/** Emails that are under way, which nobody else continues meanwhile. */
function hold(tx: ProductsHandle, developerId: string, versionId: string) {
  return tx
    .selectFrom('version_emails as e')
    .$call(joinOwn('products as p', 'p.id', 'e.product_id'))
    .$call(leftJoinOwn('file_versions as v', 'v.id', 'e.id'))
    .select(['e.product_id', 'e.note', 'e.started_at', 'e.last_created_at', 'e.last_id'])
    .select(['p.name as product', 'p.image_url', 'p.deleted_at as product_deleted_at', 'v.name as version'])
    .select(sql<boolean | null>`v.files = p.file_urls`.as('is_current'))
    .where('e.developer_id', '=', developerId)
    .where('e.id', '=', versionId)
    .where('e.ended_at', 'is', null)
    .forUpdate('e')
    .executeTakeFirst();
}
