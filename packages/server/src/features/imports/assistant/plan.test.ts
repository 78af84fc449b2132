import { expect, it } from 'vitest';
import { type Checked, fitTo, groupOf, type Plan, questionsOf } from './plan.ts';

const plan = (given: Partial<Plan>): Plan => ({
  kind: 'redeemed',
  preset: null,
  dialect: { format: 'csv', encoding: 'utf-8', delimiter: 'comma' },
  columns: [],
  mapping: ['Serial', 'Product', 'Email', 'Total Price', 'Purchase Date'],
  values: {},
  products: {},
  answers: {},
  unclear: [],
  ...given,
});
const asked = (given: Partial<Plan>) => questionsOf(plan(given), { productNames: ['Chorus'] }).map(({ id }) => id);

it('asks nothing that the file shows', () => {
  expect(asked({})).toEqual([]);
});

it('asks for what a line means nothing without', () => {
  expect(asked({ mapping: ['Serial', 'Total Price', 'Purchase Date', 'Email'] })).toEqual(['Product']);
  expect(
    asked({ mapping: ['Serial', 'Total Price', 'Purchase Date', 'Email'], values: { Product: 'Chorus' } }),
  ).toEqual([]);
  expect(questionsOf(plan({ mapping: ['Serial'] }), { productNames: ['Chorus'] })[0]).toMatchObject({
    id: 'Product',
    choices: ['Chorus'],
  });
});

it('books no sales at today’s price and date before somebody has said so', () => {
  const mapping: Plan['mapping'] = ['Serial', 'Product', 'Email'];
  expect(asked({ mapping })).toEqual(['price', 'date']);
  expect(asked({ mapping, answers: { price: 'current' }, values: { 'Purchase Date': '2026-01-01' } })).toEqual([]);
  expect(asked({ kind: 'available', mapping: ['Serial', 'Product'] })).toEqual([]);
});

it('names what sales without a price would be booked at, once that is known', () => {
  const asking = plan({ mapping: ['Serial', 'Product', 'Email', 'Purchase Date'] });
  const messageFor = (added: number, amount_cents: number | null) =>
    questionsOf(asking, { productNames: [], checked: { added, amount_cents } as Checked })[0]?.message;
  expect(messageFor(1200, 5_940_000)).toBe(
    'No column has the price. At what the products cost today, 1,200 sales are $59,400.00, $49.50 each. Choose one, a price for all lines, or what each product costs today.',
  );
  expect(messageFor(3, 10_001)).toContain('3 sales are $100.01. Choose');
  for (const [added, sum] of [
    [0, 0],
    [5, 0],
    [5, null],
  ] as const)
    expect(messageFor(added, sum)).toContain('price. Choose');
});

it('asks once how columns are to be read that can be in two ways', () => {
  const unclear: Plan['unclear'] = [
    { column: 'Active From', settles: 'date_order', examples: ['03/04/2026'] },
    { column: 'Active To', settles: 'date_order', examples: ['03/04/2027'] },
  ];
  expect(asked({ unclear })).toEqual(['date_order']);
  expect(asked({ unclear, answers: { date_order: 'dmy' } })).toEqual([]);
});

it('drops what another kind does not read', () => {
  expect(fitTo('customers', ['Email', 'Total Price', null])).toEqual(['Email', null, null]);
});

it('takes reasons for one that differ in what they quote', () => {
  expect(groupOf('Total Price is not a price: "a ""b"" c".')).toBe('Total Price is not a price: "…".');
  expect(groupOf('No product is named "X".')).toBe(groupOf('No product is named "Y".'));
  // an example in it is no value
  const date = 'Purchase Date is not a date such as 2026-12-31: ';
  expect(groupOf(`${date}"31.02.2025 10:00".`)).toBe(`${date}"…".`);
  expect(groupOf('A serial must have 4 to 128 characters.')).toBe('A serial must have 4 to 128 characters.');
});
