import {
  listApiRequestsStatus,
  listCustomerEmailsKind,
  listCustomerEmailsState,
  listNotificationsKind,
} from '@tonerow/sdk/values';
import { days, id, oneOf, type Param, searched, text } from '#lib/navigation/search-params.ts';
import type { AuditAction } from '#lib/types.ts';

/** What the logs of an account keep in their addresses; all but that of emails are on both sides, of developers and of resellers. */
export const auditSearch = { action: text as Param<AuditAction | undefined>, dateRange: days };
export const requestSearch = { status: oneOf(listApiRequestsStatus), credential: id, path: searched };
export const notificationSearch = { kind: oneOf(listNotificationsKind) };
export const emailSearch = {
  to: searched,
  kind: oneOf(listCustomerEmailsKind),
  state: oneOf(listCustomerEmailsState),
};
