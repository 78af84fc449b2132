import type { Selectable } from 'kysely';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Tables } from '#platform/db/tables.ts';
import type { Egress } from '#platform/egress/egress.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { Device } from '#platform/network/device.ts';
import { trustChangedEmail, trustEmail } from '../account-emails/security-emails.ts';
import { lockAccount } from '../credentials/lock-account.ts';
import type { AccountsDb, AccountsHandle } from '../tables.ts';
import type { Demands } from './identity-token.ts';
import { issuerOf, issuerProblem, providerOf } from './issuers.ts';
import type { CreateTrustBody, TrustView, UpdateTrustBody } from './trusts.schemas.ts';

/** The most trusts of an account. */
const MOST = 50;

type Trust = Selectable<Tables['oidc_trusts']>;

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  egress: Egress;
  emailQueue: EmailQueue;
  publicUrl: string;
}

/** The CI jobs that a developer trusts, in place of an access token that is kept as a secret there. */
export class Trusts {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(caller: Principal): Promise<TrustView[]> {
    const rows = await this.#deps.db
      .selectFrom('oidc_trusts')
      .selectAll()
      .where('user_id', '=', caller.accountId)
      .orderBy('id', 'desc')
      .limit(MOST)
      .execute();
    return rows.map((row) => this.#view(row));
  }

  async get(caller: Principal, id: string): Promise<TrustView> {
    const row = await ownTrust(this.#deps.db, caller, id).executeTakeFirst();
    if (!row) throw notFound('Trust');
    return this.#view(row);
  }

  /** Its owner is notified by email. @param id a repeat with the same id gets the trust that is there. */
  async create(caller: Principal, id: string, form: CreateTrustBody, device: Device): Promise<TrustView> {
    const { db, clock, egress, emailQueue, publicUrl } = this.#deps;
    const issuer = issuerOf(form.issuer);
    const problem = issuerProblem(issuer, egress.rules);
    if (problem) throw invalidField('issuer', problem);
    const now = clock.now();
    const row = await db.work({ tx: true }, async (tx) => {
      const email = await lockAccount(tx, caller);
      const made = await ownTrust(tx, caller, id).executeTakeFirst();
      if (made) return made;
      const held = await tx
        .selectFrom('oidc_trusts')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('user_id', '=', caller.accountId)
        .executeTakeFirstOrThrow();
      if (held.n >= MOST) throw new AppError('domain_rule', `You already have ${MOST} trusts. Delete some first.`);
      const occasion = { to: email, at: now, timeZone: caller.timeZone, device, publicUrl };
      const [branch, environment] = [form.branch ?? null, form.environment ?? null];
      const where = whereOf({ issuer, repository_id: form.repository_id, branch, environment });
      await emailQueue.queue(tx, trustEmail(occasion, form.name, where));
      await recordAudit(tx, caller.accountId, { action: 'trust_created', at: now, detail: form.name, objectId: id });
      return tx
        .insertInto('oidc_trusts')
        .values({
          id,
          user_id: caller.accountId,
          name: form.name,
          issuer,
          repository_id: form.repository_id,
          branch,
          environment,
          scopes: [...new Set(form.scopes)],
          created_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    return this.#view(row);
  }

  /**
   * Access tokens that the trust issued before the change stop working at once. The owner is notified by email, because
   * changing where its jobs are is as good as creating another trust.
   */
  async update(caller: Principal, id: string, form: UpdateTrustBody, device: Device): Promise<TrustView> {
    const { db, clock, emailQueue, publicUrl } = this.#deps;
    const row = await db.work({ tx: true }, async (tx) => {
      const email = await lockAccount(tx, caller);
      const before = await ownTrust(tx, caller, id).forUpdate().executeTakeFirst();
      if (!before) throw notFound('Trust');
      const { name = before.name, repository_id = before.repository_id } = form;
      const branch = form.branch === undefined ? before.branch : form.branch;
      const environment = form.environment === undefined ? before.environment : form.environment;
      if (branch === null && environment === null)
        throw invalidField('branch', 'Name a branch, an environment, or both.');
      const scopes = form.scopes ? [...new Set(form.scopes)] : before.scopes;
      await tx.deleteFrom('access_tokens').where('user_id', '=', caller.accountId).where('trust_id', '=', id).execute();
      const now = clock.now();
      const occasion = { to: email, at: now, timeZone: caller.timeZone, device, publicUrl };
      const where = whereOf({ issuer: before.issuer, repository_id, branch, environment });
      await emailQueue.queue(tx, trustChangedEmail(occasion, name, where));
      await recordAudit(tx, caller.accountId, { action: 'trust_changed', at: now, detail: name, objectId: id });
      return tx
        .updateTable('oidc_trusts')
        .set({ name, repository_id, branch, environment, scopes })
        .where('id', '=', id)
        .where('user_id', '=', caller.accountId)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    return this.#view(row);
  }

  /** Deletes a trust with the tokens that it issued. */
  async delete(caller: Principal, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const row = await tx
        .deleteFrom('oidc_trusts')
        .where('id', '=', id)
        .where('user_id', '=', caller.accountId)
        .returning('name')
        .executeTakeFirst();
      if (!row) throw notFound('Trust');
      const audited = { action: 'trust_deleted', at: clock.now(), detail: row.name, objectId: id } as const;
      await recordAudit(tx, caller.accountId, audited);
    });
  }

  #view({ user_id: _, ...trust }: Trust): TrustView {
    return { ...trust, provider: providerOf(trust.issuer), audience: this.#deps.publicUrl };
  }
}

/** The trusted jobs, in words: `repository 123 at https://gitlab.com, branch main`. */
function whereOf({ issuer, repository_id, branch, environment }: Demands): string {
  const parts = [
    `repository ${repository_id} at ${issuer}`,
    branch === null ? '' : `branch ${branch}`,
    environment === null ? '' : `environment ${environment}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const ownTrust = (db: AccountsHandle, caller: Principal, id: string) =>
  db.selectFrom('oidc_trusts').selectAll().where('id', '=', id).where('user_id', '=', caller.accountId);
