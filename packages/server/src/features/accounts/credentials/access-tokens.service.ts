import { recordAudit } from '#features/audit';
import type { Principal, Scope } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { Device } from '#platform/network/device.ts';
import type { Random } from '#platform/random.ts';
import { newCredential } from '#platform/secrets/credentials.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { momentOf } from '#platform/time/days.ts';
import { accessTokenEmail } from '../account-emails/security-emails.ts';
import { AccessToken } from '../accounts.entity.ts';
import { lockAccount } from './lock-account.ts';
import { ACCESS_TOKEN_PREFIX } from './sessions.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  emailQueue: EmailQueue;
  publicUrl: string;
}

/** Personal, scoped credentials for scripts. */
export class AccessTokens {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(caller: Principal) {
    const rows = await this.#deps.db.orm.em
      .fork()
      .find(AccessToken, { userId: caller.userId }, { orderBy: { id: 'desc' }, limit: 100 });
    return rows.map(accessTokenView);
  }

  /**
   * The token is shown only once; its owner is notified by email.
   * @param id a repeat with the same id gets a new secret for the token that is there: nobody has seen the first one.
   */
  async create(
    caller: Principal,
    id: string,
    form: { name: string; scopes: Scope[]; expires_at?: string | null | undefined },
    device: Device,
  ) {
    const { db, clock, random, emailQueue, publicUrl } = this.#deps;
    const now = clock.now();
    const expiresAt = momentOf(form.expires_at, 'end', caller.timeZone, 'expires_at');
    if (expiresAt && expiresAt <= now) throw invalidField('expires_at', 'The date must be in the future.');
    const token = newCredential(ACCESS_TOKEN_PREFIX, random);
    const row = await db.transaction(async (tx) => {
      const email = await lockAccount(tx, caller);
      const made = await tx.em.findOne(AccessToken, { id, userId: caller.userId });
      if (made) return Object.assign(made, { tokenHash: sha256(token), hint: token.slice(-4) });
      const held = await tx.em.count(AccessToken, { userId: caller.userId });
      if (held >= 100) throw new AppError('domain_rule', 'You already have 100 access tokens. Delete some first.');
      const occasion = { to: email, at: now, timeZone: caller.timeZone, device, publicUrl };
      await emailQueue.queue(tx, accessTokenEmail(occasion, form.name));
      const audited = { action: 'token_created', at: now, detail: form.name, objectId: id } as const;
      await recordAudit(tx, caller.userId, audited);
      return tx.em.create(AccessToken, {
        id,
        userId: caller.userId,
        name: form.name,
        scopes: [...new Set(form.scopes)],
        tokenHash: sha256(token),
        hint: token.slice(-4),
        createdAt: now,
        expiresAt,
      });
    });
    return { ...accessTokenView(row), token };
  }

  async delete(caller: Principal, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    await db.transaction(async (tx) => {
      const sql = 'delete from access_tokens where id = $1 and user_id = $2 returning name';
      const [row] = await tx.query<{ name: string }>(sql, [id, caller.userId]);
      if (!row) throw notFound('Access token');
      const audited = { action: 'token_deleted', at: clock.now(), detail: row.name, objectId: id } as const;
      await recordAudit(tx, caller.userId, audited);
    });
  }
}

function accessTokenView(row: AccessToken) {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes as Scope[],
    hint: row.hint,
    created_at: row.createdAt,
    last_used_at: row.lastUsedAt ?? null,
    expires_at: row.expiresAt ?? null,
  };
}
