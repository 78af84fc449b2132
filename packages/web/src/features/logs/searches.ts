import { days, id, oneOf, type Param, searched, text } from '#lib/navigation/search-params.ts';
import type { AuditAction } from '#lib/types.ts';

/** What the logs of an account keep in their addresses; each is on the side of developers and of resellers. */
export const auditSearch = { action: text as Param<AuditAction | undefined>, dateRange: days };
export const requestSearch = { status: oneOf(['2xx', '3xx', '4xx', '5xx']), credential: id, path: searched };
export const notificationSearch = {
  kind: oneOf(['low_serials', 'import', 'usage', 'billing', 'card', 'webhook', 'payout']),
};
