import { describe, expect, it } from 'vitest';
import type { ShopLine, ShopOrder, ShopUnit } from '#lib/types.ts';
import { formatPaid } from './money.ts';
import { canEmail, questionOf } from './questions.ts';
import { lineSentence, rateSentence, storyOf } from './story.ts';

const unit = (state: ShopUnit['state'], n = 0): ShopUnit => ({
  id: `u${n}`,
  product_id: 'p1',
  state,
  code: state === 'waiting' ? null : `CODE-${n}`,
  serial_id: null,
  draw: null,
  paid_usd: 49,
  refunded_usd: 0,
});
const line = (fields: Partial<ShopLine> = {}): ShopLine => ({
  id: '1',
  sku: 'GLIDE',
  name: 'Glide',
  keys: ['GLIDE'],
  quantity: 2,
  paid_quantity: 2,
  currency: 'USD',
  paid: '98.00',
  paid_usd: 98,
  rate: '1',
  rate_source: 'dollars',
  product_ids: ['p1'],
  units: [unit('delivered', 1), unit('delivered', 2)],
  ...fields,
});
const reversal = (fields: Partial<ShopOrder['reversals'][number]>): ShopOrder['reversals'][number] => ({
  id: 'r1',
  key: 're_1',
  kind: 'refund',
  state: 'applied',
  whole: false,
  lines: null,
  amount: null,
  happened_at: '2026-11-26T10:00:00Z',
  found_at: null,
  ...fields,
});
type OrderFacts = Parameters<typeof storyOf>[0];
const order = (fields: Partial<OrderFacts> = {}): OrderFacts => ({
  state: 'issued',
  test: false,
  shop_name: 'My shop',
  paid: '98.00',
  currency: 'USD',
  paid_usd: 98,
  paid_at: '2026-11-26T09:00:00Z',
  email: 'nina@example.com',
  found_at: null,
  lines: [line()],
  reversals: [],
  ...fields,
});

describe('the story of an order', () => {
  it('is what was paid, and what was emailed to whoever paid', () => {
    expect(storyOf(order())).toEqual([
      'My shop reported an order for which $98.00 was paid without tax.',
      '2 serials were emailed to nina@example.com.',
    ]);
  });

  it('does not name as reported what only the shop’s own list has', () => {
    expect(storyOf(order({ found_at: '2026-11-26T10:00:00Z' }))[0]).toBe(
      'My shop’s own list has an order for which $98.00 was paid without tax.',
    );
  });

  it('has the dollars of another currency, and what is free', () => {
    expect(storyOf(order({ currency: 'EUR', paid_usd: 107.02 }))[0]).toBe(
      'My shop reported an order for which €98.00 was paid without tax, which is $107.02.',
    );
    expect(storyOf(order({ paid: '0.00', paid_usd: 0 }))[0]).toBe('My shop sold it for nothing.');
    expect(storyOf(order({ paid: null, paid_at: null, state: 'pending', lines: [] }))).toEqual([
      'My shop reported an order that is not paid.',
    ]);
    expect(storyOf(order({ state: 'seen', paid: null, paid_at: null, lines: [] }))[0]).toBe(
      'My shop reported a refund of an order that has not come yet.',
    );
  });

  it('names each refund once, by its lines, its amount or as a whole', () => {
    const sentences = storyOf(
      order({
        lines: [line({ units: [unit('delivered', 1), unit('revoked', 2)] })],
        reversals: [
          reversal({ lines: [{ id: '1', quantity: 1 }], amount: '49.00' }),
          reversal({ amount: '5.00', state: 'asked' }),
          reversal({ whole: true }),
          reversal({ kind: 'chargeback', state: 'undone' }),
          reversal({ kind: 'reinstatement' }),
        ],
      }),
    );
    expect(sentences.slice(1)).toEqual([
      '1 serial was emailed to nina@example.com.',
      '1 serial was taken back.',
      'Refunded: 1 × Glide ($49.00).',
      'An amount was refunded that names nothing ($5.00). It takes no serial back. Somebody has to decide about it.',
      'All of it was refunded.',
      'The payment was disputed. It was undone.',
      'A dispute was won, so the same codes work again.',
    ]);
  });

  it('shows what is missing, and calls test codes by their name', () => {
    const lines = [line({ units: [unit('waiting')] })];
    expect(storyOf(order({ lines }))).toContain('1 serial is missing.');
    expect(storyOf(order({ test: true }))[1]).toBe('2 test codes were emailed to nina@example.com.');
  });
});

it('a line shows why it gives nothing, and what was taken out of it', () => {
  expect(lineSentence(line(), 'issued')).toBe('2 paid, 2 serials.');
  expect(lineSentence(line({ quantity: 1 }), 'issued')).toBe('2 paid, 2 serials. The shop took 1 out of it later.');
  const unmapped = line({ product_ids: null, units: [] });
  expect(lineSentence(unmapped, 'attention')).toBe('Not mapped: its serials wait until you map it.');
  expect(lineSentence(unmapped, 'refunded')).toBe('Not mapped, and nothing waits for it.');
  expect(lineSentence(line({ product_ids: [], units: [] }), 'issued')).toContain('renewal');
  expect(lineSentence(line({ paid_quantity: 0, units: [] }), 'issued')).toBe('Not paid yet.');
});

it('a line shows where its dollars are from', () => {
  const day = { rate_source: 'day' as const, rate: '1.092', currency: 'EUR' };
  expect(rateSentence(day)).toBe('At 1.092 dollars for one EUR, the rate of the day.');
  expect(rateSentence({ ...day, rate_source: 'list', rate: null })).toContain('list price');
  expect(rateSentence({ ...day, rate: null })).toBe('Nothing was paid.');
});

it('amounts have the decimals of their currency, and one that nobody knows is shown as it is', () => {
  expect(formatPaid('500', 'JPY')).toBe('¥500');
  expect(formatPaid('1.500', 'KWD')).toContain('1.500');
  expect(formatPaid('5.00', 'x')).toBe('5.00 x');
  expect(formatPaid('5.00', null)).toBe('5.00');
});

it('an order asks about a refunded serial before it asks to be looked at', () => {
  const reasons = (...names: ShopOrder['reasons'][number]['reason'][]) => ({
    reasons: names.map((reason) => ({ reason, text: '' })),
  });
  expect(questionOf(reasons())).toBeNull();
  expect(questionOf(reasons('unmapped', 'list_price'))).toBeNull();
  expect(questionOf(reasons('inquiry'))).toBe('look');
  expect(questionOf(reasons('amount_refund', 'refund_asks'))).toBe('refund');
});

it('codes can be emailed again while one of them works, and somebody is known', () => {
  expect(canEmail(order())).toBe(true);
  expect(canEmail(order({ email: null }))).toBe(false);
  expect(canEmail(order({ lines: [line({ units: [unit('revoked')] })] }))).toBe(false);
});
