import type { Noun } from '#define/command.ts';
import { accountAudit } from './audit.ts';
import { accountChangePassword } from './change-password.ts';
import { accountConfirmTerminal } from './confirm-terminal.ts';
import { accountDelete } from './delete.ts';
import { accountDisableTwoFactor } from './disable-two-factor.ts';
import { accountEnableTwoFactor } from './enable-two-factor.ts';
import { accountFirstSteps } from './first-steps.ts';
import { accountForgotPassword } from './forgot-password.ts';
import { accountNotifications } from './notifications.ts';
import { accountPlan } from './plan.ts';
import { accountRecoveryCodes } from './recovery-codes.ts';
import { accountRequests } from './requests.ts';
import { accountResetPassword } from './reset-password.ts';
import { accountRevokeSession } from './revoke-session.ts';
import { accountSessions } from './sessions.ts';
import { accountSet } from './set.ts';
import { accountSettings } from './settings.ts';
import { accountTwoFactor } from './two-factor.ts';

export const account: Noun = {
  name: 'account',
  about: 'Manage your password, sessions and account',
  commands: [
    accountFirstSteps,
    accountSessions,
    accountAudit,
    accountRequests,
    accountNotifications,
    accountRevokeSession,
    accountConfirmTerminal,
    accountChangePassword,
    accountForgotPassword,
    accountResetPassword,
    accountDelete,
    accountSettings,
    accountSet,
    accountTwoFactor,
    accountEnableTwoFactor,
    accountDisableTwoFactor,
    accountRecoveryCodes,
    accountPlan,
  ],
};
