import { formatMoney, plural } from '#lib/format/format.ts';
import type { ShopLine, ShopOrder } from '#lib/types.ts';
import { formatPaid } from './money.ts';

// Explains in plain sentences what was made of an order, and why. Pure: the page and its tests share it.

type OrderFacts = Pick<
  ShopOrder,
  | 'state'
  | 'test'
  | 'shop_name'
  | 'paid'
  | 'currency'
  | 'paid_usd'
  | 'paid_at'
  | 'found_at'
  | 'email'
  | 'lines'
  | 'reversals'
>;

const unitsOf = ({ lines }: Pick<ShopOrder, 'lines'>) => lines.flatMap(({ units }) => units);

/** The order in a few sentences, the most important first. */
export function storyOf(order: OrderFacts): string[] {
  return [
    paidSentence(order),
    ...givenSentences(order),
    ...order.reversals.flatMap((each) => reversalSentence(order, each) ?? []),
  ].filter((sentence) => sentence !== '');
}

function paidSentence({ state, test, shop_name, paid, currency, paid_usd, paid_at, found_at }: OrderFacts): string {
  if (state === 'seen') return `${shop_name} reported a refund of an order that has not come yet.`;
  const what = test ? 'a test order' : 'an order';
  if (paid_at === null || paid === null) return `${shop_name} reported ${what} that is not paid.`;
  const dollars = currency !== 'USD' && paid_usd !== null ? `, which is ${formatMoney(paid_usd)}` : '';
  return Number(paid) === 0
    ? `${shop_name} sold ${test ? 'it as a test' : 'it for nothing'}.`
    : `${shop_name}${found_at === null ? ' reported' : '’s own list has'} ${what} for which ${formatPaid(paid, currency)} was paid without tax${dollars}.`;
}

function givenSentences(order: OrderFacts): string[] {
  const units = unitsOf(order);
  const count = (...states: (typeof units)[number]['state'][]) =>
    units.filter(({ state }) => states.includes(state)).length;
  const noun = order.test ? 'test code' : 'serial';
  const to = order.email === null ? 'the customer' : order.email;
  const sent = count('delivered');
  const issued = count('issued');
  const missing = count('wanted', 'waiting');
  return [
    sent > 0 ? `${plural(sent, noun)} ${sent === 1 ? 'was' : 'were'} emailed to ${to}.` : '',
    issued > 0
      ? `${plural(issued, noun)} ${issued === 1 ? 'is' : 'are'} issued and ${issued === 1 ? 'was' : 'were'} not emailed.`
      : '',
    missing > 0 ? `${plural(missing, noun)} ${missing === 1 ? 'is' : 'are'} missing.` : '',
    count('suspended') > 0
      ? `${plural(count('suspended'), noun)} ${count('suspended') === 1 ? 'is' : 'are'} locked.`
      : '',
    count('revoked') > 0
      ? `${plural(count('revoked'), noun)} ${count('revoked') === 1 ? 'was' : 'were'} taken back.`
      : '',
    count('kept') > 0
      ? `${plural(count('kept'), noun)} ${count('kept') === 1 ? 'was' : 'were'} refunded, and the customer keeps ${count('kept') === 1 ? 'it' : 'them'}.`
      : '',
  ];
}

type Reversal = ShopOrder['reversals'][number];

function reversalSentence(order: OrderFacts, { kind, state, whole, lines, amount }: Reversal): string | undefined {
  const money = amount === null ? '' : ` (${formatPaid(amount, order.currency)})`;
  const end = state === 'undone' ? ' It was undone.' : state === 'asked' ? ' Somebody has to decide about it.' : '';
  if (kind === 'reinstatement') return 'A dispute was won, so the same codes work again.';
  if (kind === 'inquiry') return `The bank asks about the payment${money}. Nothing is disputed yet.`;
  if (kind === 'chargeback') return `The payment was disputed${money}.${end}`;
  if (whole) return `All of it was refunded${money}.${end}`;
  if (lines !== null) {
    const named = lines.map(({ id, quantity }) => `${quantity} × ${lineName(order.lines, id)}`);
    return `Refunded: ${named.join(', ')}${money}.${end}`;
  }
  return `An amount was refunded that names nothing${money}. It takes no serial back.${end}`;
}

const lineName = (lines: readonly Pick<ShopLine, 'id' | 'name'>[], id: string) =>
  lines.find((line) => line.id === id)?.name ?? `line ${id}`;

/** Describes what was made of a line, and why it gives nothing if it does not. */
export function lineSentence(
  { product_ids, units, quantity, paid_quantity }: ShopLine,
  state: ShopOrder['state'],
): string {
  if (product_ids === null && (state === 'refunded' || state === 'canceled'))
    return 'Not mapped, and nothing waits for it.';
  if (product_ids === null) return 'Not mapped: its serials wait until you map it.';
  if (product_ids.length === 0) return 'It gives nothing: it is the renewal of a subscription.';
  if (paid_quantity === 0) return 'Not paid yet.';
  const less = quantity < paid_quantity ? ` The shop took ${paid_quantity - quantity} out of it later.` : '';
  return `${paid_quantity} paid, ${plural(units.length, 'serial')}.${less}`;
}

/** Describes where the line's dollars come from. */
export function rateSentence({
  rate_source,
  rate,
  currency,
}: Pick<ShopLine, 'rate_source' | 'rate' | 'currency'>): string {
  if (rate_source === 'dollars') return 'Paid in dollars.';
  if (rate_source === 'shop') return 'In dollars as the shop has it.';
  if (rate_source === 'list')
    return 'Nobody knows what it was worth in dollars, so its serials count at the list price.';
  return rate === null ? 'Nothing was paid.' : `At ${rate} dollars for one ${currency}, the rate of the day.`;
}
