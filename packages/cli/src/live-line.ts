import type { LiveEvent } from '@tonerow/sdk';
import { money } from './output/table.ts';

/** One event as one line. */
export function lineOf({ type, data }: LiveEvent): string {
  const text = (name: string) => String(data[name] ?? '').replace(/[^\P{Cc}]/gu, '');
  const now = new Date().toISOString().slice(11, 19);
  if (type === 'redemption') {
    const name = [text('first_name'), text('last_name')].filter((part) => part !== '').join(' ');
    return `${now}  redeemed   ${text('serial')}  ${text('product_name')}  ${name} <${text('email')}>  ${money(Number(data.total))}`;
  }
  if (type === 'low_serials') return `${now}  low        ${text('product_name')}: ${text('serials_available')} left`;
  if (type === 'import')
    return `${now}  import     ${text('kind')} ${text('state')}: ${text('count')} added, ${text('rejected')} rejected`;
  return `${now}  ${type}`;
}
