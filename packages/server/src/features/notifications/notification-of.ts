import { plainDollars } from '#platform/money.ts';
import { monthName } from '#platform/paper/words.ts';
import { plainPlural } from '#platform/text/plural.ts';

export const notificationKinds = [
  'low_serials',
  'import',
  'usage',
  'billing',
  'card',
  'webhook',
  'payout',
  'shop',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export interface NotificationText {
  kind: NotificationKind;
  title: string;
  detail: string;
  objectId: string | null;
}

/** The parts of published events that become notices. The features that declare them hold to these shapes. */
interface NoticeFacts {
  low_serials: { product_id: string; product_name: string; serials_available: number };
  import: {
    id: string;
    kind: string;
    state: string;
    dry_run: boolean;
    count: number;
    rejected: number;
    error: string | null;
  };
  usage: { kind: string; redemptions: number; redemption_quota: number };
  billing: { what: string; id: string; month: string; amount_cents: number };
  card: { what: string; last4: string | null; exp_month: number | null; exp_year: number | null };
  webhook_failing: { endpoint_id: string; host: string; disabled: boolean };
  payout: { payout_id: string; month: string; title: string };
  shop: { shop_id: string; name: string; what: string; detail: string };
}

const billing: Record<string, (month: string) => string> = {
  paid: (month) => `Your invoice for ${month} is paid`,
  failed: (month) => `Your payment for ${month} did not go through`,
  confirm_payment: (month) => `Your bank asks you to confirm the payment for ${month}`,
  card_needed: (month) => `There is no card to charge for ${month}`,
  uncollectible: (month) => `Your invoice for ${month} is still unpaid`,
  void: (month) => `Your invoice for ${month} was canceled`,
};

const shopTitles: Record<string, (name: string) => string> = {
  silent: (name) => `${name} has gone silent`,
  unmapped: (name) => `${name} sells something that is not mapped`,
  farewell: (name) => `${name} still sends reports here`,
};

/** States of an import in which it waits for nothing. */
const ended: ReadonlySet<string> = new Set(['complete', 'failed', 'undone']);

const makers: { [Type in keyof NoticeFacts]: (data: NoticeFacts[Type]) => NotificationText | null } = {
  low_serials: ({ product_id, product_name, serials_available: left }) => ({
    kind: 'low_serials',
    title: `${product_name} is running low`,
    detail: left === 0 ? 'No serials left' : `${plainPlural(left, 'serial')} left`,
    objectId: product_id,
  }),
  import({ id, kind, state, dry_run, count, rejected, error }) {
    if (dry_run || !ended.has(state)) return null;
    const notice = { kind: 'import' as const, objectId: id };
    if (state === 'undone') return { ...notice, title: 'Import taken back', detail: 'What it added was deleted.' };
    if (state === 'complete' && error !== null) return { ...notice, title: 'Import not taken back', detail: error };
    const failed = state === 'failed';
    const done = `${plainPlural(count, kind === 'customers' ? 'customer' : 'serial')} imported`;
    const leftOut = rejected > 0 ? `, ${plainPlural(rejected, 'line')} left out` : '';
    return {
      ...notice,
      title: failed ? 'Import failed' : rejected > 0 ? 'Import completed with warnings' : 'Import complete',
      detail: failed ? (error ?? 'Nothing was added.') : `${done}${leftOut}`,
    };
  },
  usage({ kind, redemptions, redemption_quota }) {
    if (kind === 'plan_switched') return null;
    return {
      kind: 'usage',
      title: kind === 'redemption_refused' ? 'A customer could not redeem a serial' : 'Your plan’s quota',
      detail: `${redemptions} of ${plainPlural(redemption_quota, 'redemption')} used in the month`,
      objectId: null,
    };
  },
  billing({ what, id, month, amount_cents }) {
    const title = billing[what]?.(monthName(`${month}-01`));
    return title ? { kind: 'billing', title, detail: `$${plainDollars(amount_cents)}`, objectId: id } : null;
  },
  card({ what, last4, exp_month, exp_year }) {
    if (what !== 'expiring') return null;
    return {
      kind: 'card',
      title: `Your card ending in ${last4 ?? '…'} expires soon`,
      detail: `At the end of ${String(exp_month).padStart(2, '0')}/${exp_year}`,
      objectId: null,
    };
  },
  webhook_failing: ({ endpoint_id, host, disabled }) => ({
    kind: 'webhook',
    title: disabled ? 'A webhook was switched off' : 'A webhook fails',
    detail: host,
    objectId: endpoint_id,
  }),
  payout: ({ payout_id, month, title }) => ({
    kind: 'payout',
    title,
    detail: `For ${monthName(`${month}-01`)}`,
    objectId: payout_id,
  }),
  shop: ({ shop_id, name, what, detail }) => ({
    kind: 'shop',
    title: shopTitles[what]?.(name) ?? `${name} needs a look`,
    detail,
    // it may be deleted
    objectId: what === 'farewell' ? null : shop_id,
  }),
};

/** An event's text in the bell's history; null for events that lists show anyway, such as each redemption. */
export function notificationOf({ type, data }: { type: string; data: object }): NotificationText | null {
  const make = (makers as Partial<Record<string, (data: never) => NotificationText | null>>)[type];
  return make ? make(data as never) : null;
}
