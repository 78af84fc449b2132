export { AccessToken, PasswordReset, RecoveryCode, Session, User } from './accounts.entity.ts';
export { accountRoutes } from './accounts.routes.ts';
export { Email } from './accounts.schemas.ts';
export { Accounts, emailKey } from './accounts.service.ts';
export { Sessions } from './sessions.ts';
export { settingsRoutes } from './settings.routes.ts';
export { AccountSettings } from './settings.service.ts';
export { twoFactorRoutes } from './two-factor.routes.ts';
export { TwoFactor } from './two-factor.service.ts';
