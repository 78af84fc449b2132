import type { Media } from '#features/media';
import type { Sql } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { AccountEmails, accountEmailJob } from './account-emails/account-emails.service.ts';
import { accessTokenRoutes } from './credentials/access-tokens.routes.ts';
import { AccessTokens } from './credentials/access-tokens.service.ts';
import { Sessions } from './credentials/sessions.ts';
import { deletionRoutes } from './deletion/deletion.routes.ts';
import {
  AccountDeletions,
  type CountUnpaid,
  type LastBillOf,
  type OnDelete,
  type Unlocks,
} from './deletion/deletion.service.ts';
import { deviceSignInRoutes } from './device-sign-in/device-sign-in.routes.ts';
import { DeviceSignIns } from './device-sign-in/device-sign-ins.service.ts';
import { type OnTakeover, PasswordChanges } from './passwords/password-changes.service.ts';
import { passwordRoutes } from './passwords/passwords.routes.ts';
import { emailVerificationRoutes } from './registration/email-verification.routes.ts';
import { EmailVerifications } from './registration/email-verification.service.ts';
import { registrationRoutes } from './registration/registration.routes.ts';
import { lateRegistrationJob, Registration } from './registration/registration.service.ts';
import { setAdmin } from './settings/set-admin.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { AccountSettings, type OnTimeZone } from './settings/settings.service.ts';
import { KnownPlaces } from './sign-in/known-places.ts';
import { signInRoutes } from './sign-in/sign-in.routes.ts';
import { SignIn } from './sign-in/sign-in.service.ts';
import { tables } from './tables.ts';
import { Exchanges } from './trusts/exchanges.service.ts';
import { trustRoutes } from './trusts/trusts.routes.ts';
import { Trusts } from './trusts/trusts.service.ts';
import { sealedTwoFactorSecrets } from './two-factor/sealed.ts';
import { twoFactorRoutes } from './two-factor/two-factor.routes.ts';
import { TwoFactor } from './two-factor/two-factor.service.ts';

export { nameOf, nameOrClosed } from './account-name.ts';
export { Account, type Role } from './accounts.entity.ts';
export { lockAccount } from './credentials/lock-account.ts';
export { holdAccounts, holdOpenAccount } from './deletion/hold-accounts.ts';
export { openEmailOf } from './open-email.ts';
export { confirmPasswordOf as confirmPassword } from './passwords/confirm-password.ts';
export { verifyAddress } from './registration/verified-address.ts';
export { setLook } from './settings/set-look.ts';
export { setPlan } from './settings/set-plan.ts';

interface Needs {
  emailQueue: EmailQueue;
  media: Media;
  pluginKeys: { endReveals: OnTakeover };
  accountClosings: { begin: OnDelete };
  archives: { deleteOf: OnDelete };
  invites: { deleteOf: OnDelete };
  partnershipEnds: { allOf: OnDelete };
  ledger: { rebuildSums: OnTimeZone; recountSoon: OnTimeZone };
  payouts: { unpaid: CountUnpaid };
  lastBill: LastBillOf;
  closings: { closeAccount: OnDelete };
  webhooks: { deleteOf: OnDelete };
  /** @returns what is done once that is committed. */
  shops: { deleteOf(sql: Sql, accountId: string): Promise<() => Promise<void>> };
  auditLog: { deleteOf: OnDelete };
  apiRequests: { deleteOf: OnDelete };
  notifications: { deleteOf: OnDelete };
  unlocks: Unlocks;
}

export const accounts = {
  entities: tables.entities,
  sealed: [sealedTwoFactorSecrets],

  create(
    platform: Base,
    {
      emailQueue,
      media,
      pluginKeys,
      accountClosings,
      archives,
      invites,
      partnershipEnds,
      ledger,
      payouts,
      lastBill,
      closings,
      webhooks,
      shops,
      auditLog,
      apiRequests,
      notifications,
      unlocks,
    }: Needs,
  ) {
    const base = { ...platform, db: tables.of(platform.db) };
    const sessions = new Sessions(base);
    const knownPlaces = new KnownPlaces(base);
    const accountEmails = new AccountEmails({ ...base, emailQueue });
    const services = { ...base, emailQueue, sessions, knownPlaces, accountEmails };
    const twoFactor = new TwoFactor(services);
    const exchanges = new Exchanges(services);
    const registration = new Registration(services);
    const emailVerifications = new EmailVerifications(services);
    const passwords = new PasswordChanges({
      ...services,
      onTakeover: (sql, accountId) => pluginKeys.endReveals(sql, accountId),
    });
    const signIn = new SignIn({ ...services, twoFactor });
    const deviceSignIns = new DeviceSignIns(services);
    const deletions = new AccountDeletions({
      ...services,
      countUnpaid: (sql, accountId) => payouts.unpaid(sql, accountId),
      lastBill,
      unlocks,
      closeMonths: (sql, accountId) => closings.closeAccount(sql, accountId),
      async onDelete(sql, accountId) {
        await accountClosings.begin(sql, accountId);
        await archives.deleteOf(sql, accountId);
        await invites.deleteOf(sql, accountId);
        await partnershipEnds.allOf(sql, accountId);
        await webhooks.deleteOf(sql, accountId);
        const sendFarewells = await shops.deleteOf(sql, accountId);
        await auditLog.deleteOf(sql, accountId);
        await apiRequests.deleteOf(sql, accountId);
        await notifications.deleteOf(sql, accountId);
        return sendFarewells;
      },
    });
    const settings = new AccountSettings({
      ...base,
      onTimeZone: { developer: ledger.rebuildSums, reseller: ledger.recountSoon },
    });
    return {
      api: {
        accounts: { setAdmin: (email: string, admin: boolean) => setAdmin(base.db, email, admin) },
        sessions,
        registration,
      },
      routes: [
        registrationRoutes(registration, media),
        signInRoutes(signIn),
        deviceSignInRoutes(deviceSignIns, base.countryOf),
        passwordRoutes(passwords),
        deletionRoutes(deletions),
        accessTokenRoutes(new AccessTokens(services)),
        trustRoutes(new Trusts(services), exchanges),
        emailVerificationRoutes(emailVerifications),
        twoFactorRoutes(twoFactor),
        settingsRoutes(settings),
      ],
      jobs: [
        jobWorker(accountEmailJob, (request) => accountEmails.send(request)),
        jobWorker(lateRegistrationJob, (late) => registration.makeLate(late)),
      ],
      housekeeping: [
        () => knownPlaces.expire(base.db),
        () => sessions.expire(),
        () => accountEmails.expireLinks(),
        () => exchanges.expire(),
        () => deviceSignIns.expire(),
      ],
    };
  },
};
