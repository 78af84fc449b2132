import {
  listApiRequestsStatus,
  listCustomerEmailsKind,
  listCustomerEmailsState,
  listNotificationsKind,
} from '@tonerow/sdk/values';
import { days, id, oneOf, type Param, searched, text } from '#lib/navigation/search-params.ts';
import type { AuditAction } from '#lib/types.ts';

/**
 * The parameters that the logs of an account keep in their addresses. All logs but that of emails exist for both
 * developers and resellers.
 */
export const auditSearch = { action: text as Param<AuditAction | undefined>, dateRange: days };
export const requestSearch = { status: oneOf(listApiRequestsStatus), credential: id, path: searched };
export const notificationSearch = { kind: oneOf(listNotificationsKind) };
export const emailSearch = {
  to: searched,
  kind: oneOf(listCustomerEmailsKind),
  state: oneOf(listCustomerEmailsState),
};
