import { recordAudit } from '#features/audit';
import type { Principal, Scope } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { Device } from '#platform/network/device.ts';
import type { Random } from '#platform/random.ts';
import { newCredential } from '#platform/secrets/credentials.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { momentOf } from '#platform/time/days.ts';
import { accessTokenEmail } from '../account-emails/security-emails.ts';
import type { AccountsDb } from '../tables.ts';
import { lockAccount } from './lock-account.ts';
import { ACCESS_TOKEN_PREFIX } from './sessions.ts';

/** The most tokens that an account makes itself. */
const MOST = 100;
/** The most tokens that trusts issued, the newest of them, which a list shows. */
const MOST_ISSUED = 100;

const COLUMNS = ['id', 'name', 'scopes', 'hint', 'created_at', 'last_used_at', 'expires_at', 'trust_id'] as const;

type AccessToken = Columns<'access_tokens', (typeof COLUMNS)[number]>;

interface Dependencies {
  db: AccountsDb;
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

  list(caller: Principal): Promise<AccessToken[]> {
    return (
      this.#deps.db
        .selectFrom('access_tokens')
        .select(COLUMNS)
        .where('user_id', '=', caller.accountId)
        // tokens that people created come first, however many were issued
        .orderBy((eb) => eb('trust_id', 'is not', null))
        .orderBy('id', 'desc')
        .limit(MOST + MOST_ISSUED)
        .execute()
    );
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
  ): Promise<AccessToken & { token: string }> {
    const { db, clock, random, emailQueue, publicUrl } = this.#deps;
    const now = clock.now();
    const expiresAt = momentOf(form.expires_at, 'end', caller.timeZone, 'expires_at');
    if (expiresAt && expiresAt <= now) throw invalidField('expires_at', 'The date must be in the future.');
    const token = newCredential(ACCESS_TOKEN_PREFIX, random);
    const secret = { token_hash: sha256(token), hint: token.slice(-4) };
    const row = await db.work({ tx: true }, async (tx) => {
      const email = await lockAccount(tx, caller);
      const made = await tx
        .updateTable('access_tokens')
        .set(secret)
        .where('id', '=', id)
        .where('user_id', '=', caller.accountId)
        .returning(COLUMNS)
        .executeTakeFirst();
      if (made) return made;
      const held = await tx
        .selectFrom('access_tokens')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('user_id', '=', caller.accountId)
        .where('trust_id', 'is', null)
        .executeTakeFirstOrThrow();
      if (held.n >= MOST)
        throw new AppError('domain_rule', `You already have ${MOST} access tokens. Delete some first.`);
      const occasion = { to: email, at: now, timeZone: caller.timeZone, device, publicUrl };
      await emailQueue.queue(tx, accessTokenEmail(occasion, form.name));
      const audited = { action: 'token_created', at: now, detail: form.name, objectId: id } as const;
      await recordAudit(tx, caller.accountId, audited);
      return tx
        .insertInto('access_tokens')
        .values({
          id,
          user_id: caller.accountId,
          name: form.name,
          scopes: [...new Set(form.scopes)],
          ...secret,
          created_at: now,
          expires_at: expiresAt,
        })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
    });
    return { ...row, token };
  }

  async delete(caller: Principal, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const row = await tx
        .deleteFrom('access_tokens')
        .where('id', '=', id)
        .where('user_id', '=', caller.accountId)
        .returning('name')
        .executeTakeFirst();
      if (!row) throw notFound('Access token');
      const audited = { action: 'token_deleted', at: clock.now(), detail: row.name, objectId: id } as const;
      await recordAudit(tx, caller.accountId, audited);
    });
  }
}
