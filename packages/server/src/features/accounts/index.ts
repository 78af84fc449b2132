export { AccessToken, PasswordReset, RecoveryCode, Session, User } from './accounts.entity.ts';
export { accountRoutes } from './accounts.routes.ts';
export { Email } from './accounts.schemas.ts';
export { Accounts, emailKey } from './accounts.service.ts';
export { Sessions } from './sessions.ts';
