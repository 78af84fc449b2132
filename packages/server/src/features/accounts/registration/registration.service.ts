import type { Clock } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import type { PasswordHash } from '#platform/secrets/password-hash.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { AccountEmails } from '../account-emails/account-emails.service.ts';
import type { Role } from '../accounts.entity.ts';
import { refuseCommonPassword } from '../passwords/common-passwords.ts';
import { knownZone } from '../settings/time-zones.ts';
import type { AccountsDb } from '../tables.ts';

export interface RegistrationForm {
  first_name: string;
  last_name: string;
  email: string;
  password: string;
  company_name?: string | null;
  website_url?: string | null;
  support_email?: string | null;
  support_url?: string | null;
  business_address?: string | null;
  tax_id?: string | null;
  brand_color?: string;
  time_zone?: string | undefined;
}

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  random: Random;
  passwordHash: PasswordHash;
  accountEmails: AccountEmails;
}

/** Makes accounts. */
export class Registration {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Creates an account and emails the link that verifies its address. For an address that already has an account, the
   * response and the work are the same and only the email differs: the response reveals nothing about who has an
   * account.
   * @param options.verified for accounts created on the server's own machine, whose address needs no proof.
   */
  async register(
    role: Role,
    form: RegistrationForm,
    logoUrl: string | null,
    { verified = false }: { verified?: boolean } = {},
  ): Promise<void> {
    await refuseCommonPassword(form.password, 'password');
    const { db, clock, random, accountEmails } = this.#deps;
    const timeZone = form.time_zone === undefined ? 'UTC' : await knownZone(db, form.time_zone);
    const passwordHash = await this.#deps.passwordHash.hash(form.password);
    const now = clock.now();
    await db.work({ tx: true }, async (tx) => {
      const made = await tx
        .insertInto('users')
        .values({
          id: random.id(),
          role,
          email: form.email,
          email_key: emailKey(form.email),
          email_verified_at: verified ? now : null,
          password_hash: passwordHash,
          first_name: form.first_name,
          last_name: form.last_name,
          company_name: form.company_name ?? null,
          website_url: form.website_url ?? null,
          support_email: form.support_email ?? null,
          support_url: form.support_url ?? null,
          business_address: form.business_address ?? null,
          tax_id: form.tax_id ?? null,
          brand_color: form.brand_color ?? '#000000',
          logo_url: logoUrl,
          time_zone: timeZone,
          created_at: now,
        })
        .onConflict((on) => on.column('email_key').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!verified) await accountEmails.request(tx, made ? 'verify' : 'exists', form.email);
    });
  }
}
