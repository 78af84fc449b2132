import type { Insertable } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import type { Workers } from '#platform/db/citus/workers.ts';
import type { Tables } from '#platform/db/tables.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Random } from '#platform/random.ts';
import type { PasswordHash } from '#platform/secrets/password-hash.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
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
  jobs: Jobs;
  secrets: Secrets;
  workers: Workers;
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
    const { db, clock, random } = this.#deps;
    const timeZone = form.time_zone === undefined ? 'UTC' : await knownZone(db, form.time_zone);
    const passwordHash = await this.#deps.passwordHash.hash(form.password);
    const now = clock.now();
    const account: NewAccount = {
      id: random.id(),
      role,
      email: form.email,
      email_key: emailKey(form.email),
      email_verified_at: verified ? now.toISOString() : null,
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
      created_at: now.toISOString(),
    };
    const { workers } = this.#deps;
    // otherwise each would wait for the machine until its statement is canceled
    if (await workers.anyWorkerDown()) return this.#makeLater(account);
    await this.#make(account).catch(async (error) => {
      if (await workers.anyWorkerDown(error)) await this.#makeLater(account);
      else throw error;
    });
  }

  /** The job. */
  async makeLate({ sealed }: LateRegistration): Promise<void> {
    if (await this.#deps.workers.anyWorkerDown()) throw new Error('a machine of the database is still gone');
    const text = this.#deps.secrets.open(Buffer.from(sealed, 'base64'), PURPOSE).toString();
    await this.#make(JSON.parse(text) as NewAccount);
  }

  async #make(account: NewAccount): Promise<void> {
    const { db, accountEmails } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const made = await tx
        .insertInto('users')
        .values({
          ...account,
          email_verified_at: account.email_verified_at === null ? null : new Date(account.email_verified_at),
          created_at: new Date(account.created_at),
        })
        .onConflict((on) => on.column('email_key').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (account.email_verified_at !== null) return;
      // a try before this one may have made it without hearing so
      const isOwn = made ?? (await tx.selectFrom('users').select('id').where('id', '=', account.id).executeTakeFirst());
      await accountEmails.request(tx, isOwn ? 'verify' : 'exists', account.email);
    });
  }

  /**
   * An account is on every machine of a distributed database, so while one of them is gone, none can be made. The queue is on the
   * coordinator: it makes the account when the machine is back, and the email comes then.
   */
  async #makeLater(account: NewAccount): Promise<void> {
    const { db, jobs, secrets } = this.#deps;
    const sealed = secrets.seal(JSON.stringify(account), PURPOSE).toString('base64');
    await db.work({ tx: true }, (tx) => jobs.enqueue(tx, lateRegistrationJob, { sealed }));
  }
}

const PURPOSE = 'registration';

/** As a job can carry it. */
interface NewAccount extends Omit<Insertable<Tables['users']>, 'email_verified_at' | 'created_at'> {
  email_verified_at: string | null;
  created_at: string;
}

interface LateRegistration {
  sealed: string;
}

/** Tried for a day, and at most a minute after the machine is back. */
export const lateRegistrationJob = jobKind<LateRegistration>({
  name: 'late-registration',
  retryLimit: 1500,
  retryDelay: 2,
  retryDelayMax: 60,
  expireInSeconds: 60,
  deleteAfterSeconds: 60,
  isEmail: true,
});
