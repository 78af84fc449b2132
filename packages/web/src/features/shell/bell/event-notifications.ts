import { type LinkProps, linkOptions } from '@tanstack/react-router';
import type { LiveEvent } from '@tonerow/sdk';
import { formatCount, formatMoney, plural, toDollars } from '#lib/format/format.ts';
import { formatMonth } from '#lib/time/period.ts';
import type { Notice } from './notifications.ts';

const redeemed: LinkProps = linkOptions({ to: '/dashboard/serials' });
const screens: Record<(LiveEvent & { type: 'import' })['data']['kind'], LinkProps> = {
  available: linkOptions({ to: '/dashboard/serials/available' }),
  redeemed,
  customers: { to: '/dashboard/customers' },
};

/** States of an import in which it waits for nothing. */
const ended: ReadonlySet<string> = new Set(['complete', 'failed', 'undone']);

type BillingNews = (LiveEvent & { type: 'billing' })['data'];

/** The state of an invoice, by its month. */
const billingTitles: Partial<Record<BillingNews['what'], (month: string) => string>> = {
  paid: (month) => `Your invoice for ${month} is paid`,
  failed: (month) => `Your payment for ${month} did not go through`,
  confirm_payment: (month) => `Your bank asks you to confirm the payment for ${month}`,
  card_needed: (month) => `There is no card to charge for ${month}`,
  uncollectible: (month) => `Your invoice for ${month} is still unpaid`,
  void: (month) => `Your invoice for ${month} was canceled`,
};

function billingNotice({ what, id, month, amount_cents }: BillingNews, at: string): Notice | null {
  const title = billingTitles[what]?.(formatMonth(`${month}-01`));
  if (!title) return null;
  const paid = what === 'paid' || what === 'void';
  const confirm = linkOptions({ to: '/dashboard/settings/card', search: { invoice: id } });
  return {
    id: `billing ${id}`,
    kind: 'billing',
    title,
    detail: formatMoney(toDollars(amount_cents)),
    link: paid
      ? linkOptions({ to: '/dashboard/billing/invoices/$id', params: { id } })
      : what === 'confirm_payment'
        ? confirm
        : linkOptions({ to: '/dashboard/settings', hash: 'billing' }),
    at,
    ...(paid ? { good: true } : {}),
  };
}

/** The notice for an event, or null for events that need none. */
export function notificationOf({ type, data }: LiveEvent, reseller = false): Notice | null {
  const at = new Date().toISOString();
  if (type === 'low_serials') {
    const left = data.serials_available;
    return {
      id: `low ${data.product_id}`,
      kind: 'low_serials',
      title: `${data.product_name} is running low`,
      detail: left === 0 ? 'No serials left' : `${plural(left, 'serial')} left`,
      link: linkOptions({
        to: '/dashboard/serials/generator',
        search: { product: data.product_id },
      }),
      at,
    };
  }
  if (type === 'usage' && data.kind !== 'plan_switched') {
    const used = `${formatCount(data.redemptions)} of ${plural(data.redemption_quota, 'redemption')} used this month`;
    return {
      id: `usage ${data.kind}`,
      kind: 'usage',
      title: data.kind === 'redemption_refused' ? 'A customer could not redeem a serial' : 'Your plan’s quota',
      detail: used,
      link: linkOptions({ to: '/dashboard/billing' }),
      at,
    };
  }
  if (type === 'billing') return billingNotice(data, at);
  if (type === 'webhook_failing') {
    const params = { id: data.endpoint_id };
    return {
      id: `webhook ${data.endpoint_id}`,
      kind: 'webhook',
      title: data.disabled ? 'A webhook was switched off' : 'A webhook fails',
      detail: data.host,
      link: reseller
        ? linkOptions({ to: '/reseller/webhooks/$id', params })
        : linkOptions({ to: '/developer/tools/webhooks/$id', params }),
      at,
    };
  }
  if (type === 'card' && data.what === 'expiring') {
    return {
      id: 'card',
      kind: 'billing',
      title: `Your card ending in ${data.last4} expires soon`,
      detail: `At the end of ${String(data.exp_month).padStart(2, '0')}/${data.exp_year}`,
      link: linkOptions({ to: '/dashboard/settings', hash: 'billing' }),
      at,
    };
  }
  if (type === 'redemption') {
    const name = [data.first_name, data.last_name].filter(Boolean).join(' ') || data.email;
    return {
      id: `redemption ${data.serial_id}`,
      kind: 'redemption',
      title: `${name} redeemed ${data.product_name}`,
      detail: data.serial,
      link: linkOptions({ to: '/dashboard/serials/$serialId', params: { serialId: data.serial_id } }),
      at,
    };
  }
  if (type === 'import' && !data.dry_run && ended.has(data.state)) {
    const notice = { id: `import ${data.id}`, kind: 'import' as const, link: screens[data.kind], at };
    if (data.state === 'undone') return { ...notice, title: 'Import taken back', detail: 'What it added was deleted.' };
    if (data.state === 'complete' && data.error)
      return { ...notice, title: 'Import not taken back', detail: data.error };
    const failed = data.state === 'failed';
    const rejected = data.rejected;
    const what = data.kind === 'customers' ? 'customer' : 'serial';
    return {
      ...notice,
      title: failed ? 'Import failed' : rejected > 0 ? 'Import completed with warnings' : 'Import complete',
      ...(failed || rejected > 0 ? {} : { good: true }),
      detail: failed
        ? data.error || 'Nothing was added.'
        : `${plural(data.count, what)} imported${rejected > 0 ? `, ${plural(rejected, 'line')} left out` : ''}`,
    };
  }
  return null;
}
