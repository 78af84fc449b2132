export { AccountEmails } from './account-emails.service.ts';
export {
  AccessToken,
  EmailVerification,
  KnownPlace,
  PasswordReset,
  RecoveryCode,
  Session,
  User,
} from './accounts.entity.ts';
export { accountRoutes } from './accounts.routes.ts';
export { Accounts } from './accounts.service.ts';
export { emailVerificationRoutes } from './email-verification.routes.ts';
export { EmailVerifications } from './email-verification.service.ts';
export { KnownPlaces } from './known-places.ts';
export { lockAccount } from './live-credential.ts';
export { PasswordChanges } from './password-changes.service.ts';
export { Registration } from './registration.service.ts';
export { Sessions } from './sessions.ts';
export { settingsRoutes } from './settings.routes.ts';
export { AccountSettings } from './settings.service.ts';
export { twoFactorRoutes } from './two-factor.routes.ts';
export { TwoFactor } from './two-factor.service.ts';
