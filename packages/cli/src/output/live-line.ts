import type { LiveEvent } from '@tonerow/sdk';
import { money } from './table.ts';
import { isoIn } from './zone.ts';

/** How far an import is, which is no news. */
export const isProgress = ({ type, data }: LiveEvent): boolean =>
  type === 'import' && ['open', 'checking', 'running'].includes(data.state);

/** One event as one line. */
export function lineOf({ type, data }: LiveEvent): string {
  const now = isoIn(new Date().toISOString()).slice(11, 19);
  if (type === 'redemption') {
    const name = [data.first_name, data.last_name, data.email && `<${data.email}>`].filter(Boolean).join(' ');
    const what = [data.serial, data.product_name, name, money(data.total)].filter(Boolean).join('  ');
    return `${now}  redeemed   ${printable(what)}`;
  }
  if (type === 'low_serials') {
    return `${now}  low        ${printable(data.product_name)}: ${data.serials_available} left`;
  }
  if (type === 'import') {
    return `${now}  import     ${data.kind} ${data.state}: ${data.count} added, ${data.rejected} rejected`;
  }
  if (type === 'refund') {
    return `${now}  ${data.kind.padEnd(10)} ${printable(`${data.serial}  ${data.product_name}  ${data.reason}`)}  ${money(data.amount)}`;
  }
  if (type === 'invites') return `${now}  invites    ${data.pending} pending`;
  if (type === 'deals') return `${now}  deals      ${data.pending} pending`;
  if (type === 'sale') {
    return `${now}  ${data.kind.padEnd(10)} ${printable(data.product_name)}  ${money(data.commission_earned)} commission`;
  }
  if (type === 'stock') {
    return `${now}  ${data.change.replace('_', ' ').padEnd(10)} ${data.codes} of product ${data.product_id}`;
  }
  if (type === 'usage') {
    return `${now}  usage      ${data.kind.replaceAll('_', ' ')}: ${data.redemptions} of ${data.redemption_quota} on ${data.plan}`;
  }
  if (type === 'payout') return `${now}  statement  ${data.number}`;
  if (type === 'webhook') return `${now}  webhook    ${data.event}`;
  if (type === 'webhook_failing')
    return `${now}  webhook    ${printable(data.host)} ${data.disabled ? 'is off' : 'fails'}`;
  if (type === 'partnerships') return `${now}  partnership ${data.status}`;
  if (type === 'resync') return `${now}  gap        what happened while there was no connection is not shown`;
  return `${now}  ${printable(type)}`;
}

function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '');
}
