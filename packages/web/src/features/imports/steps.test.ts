import { describe, expect, it } from 'vitest';
import type { ImportPlan } from '#lib/types.ts';
import {
  barrier,
  firstColumns,
  fractionOf,
  isMoving,
  isOpen,
  missingProduct,
  openFields,
  resumedAt,
  shownFields,
  shownStep,
  unusedHeads,
} from './steps.ts';

const plan = (given: Partial<ImportPlan> = {}): ImportPlan => ({
  revision: 1,
  preset: null,
  preset_name: null,
  format: 'csv',
  encoding: 'utf-8',
  delimiter: 'comma',
  sheet: null,
  sheets: [],
  columns: [
    { index: 0, head: 'Key', examples: ['A-1'], column: 'Serial' },
    { index: 1, head: 'Colour', examples: ['red'], column: null },
  ],
  fields: [
    { column: 'Serial', required: true, one_value: false },
    { column: 'Product', required: true, one_value: true },
    { column: 'Country', required: false, one_value: true },
  ],
  replaces: null,
  values: {},
  products: {},
  answers: { decimal: null, date_order: null, price: null, date: null, ends: null },
  questions: [],
  check: null,
  ...given,
});
const question = (id: string) => ({ id, message: `${id}?`, choices: [] });
const check = (given: Partial<NonNullable<ImportPlan['check']>> = {}): NonNullable<ImportPlan['check']> => ({
  at: '2026-01-01T00:00:00.000Z',
  lines: 4,
  added: 3,
  known: 0,
  rejected: 1,
  amount: 12.5,
  unpriced: 0,
  undated: 0,
  time_zone: 'UTC',
  changes: null,
  reasons: [],
  rows: [],
  ...given,
});

describe('a step', () => {
  it('is the first one that was not done, for whoever comes back', () => {
    expect(resumedAt(plan())).toBe('read');
    expect(resumedAt(plan({ questions: [question('Product')] }))).toBe('map');
    expect(resumedAt(plan({ revision: 2 }))).toBe('map');
    expect(resumedAt(plan({ revision: 2, check: check() }))).toBe('check');
  });

  it('is not open while something before it is', () => {
    expect(barrier('check', plan({ questions: [question('decimal')] }))).toBe('A question is open.');
    expect(barrier('check', plan({ questions: [question('price')] }))).toBeNull();
    expect(barrier('run', plan())).toBe('Check the file first.');
    expect(barrier('run', plan({ check: check(), questions: [question('price')] }))).toBe(
      'A question about the sales is open.',
    );
    expect(barrier('run', plan({ check: check({ added: 0 }) }))).toBe('There is nothing to import.');
    expect(barrier('run', plan({ check: check() }))).toBeNull();
  });

  it('that an address names but that is not open gives way to the one before it', () => {
    expect(shownStep('run', plan())).toBe('check');
    expect(shownStep('check', plan({ questions: [question('Product')] }))).toBe('map');
    expect(shownStep('read', plan({ check: check() }))).toBe('read');
    expect(shownStep(undefined, plan({ check: check() }))).toBe('check');
  });
});

describe('an import', () => {
  it('is open until it has run, also after it failed, and never when one call brought it', () => {
    expect(isOpen({ state: 'open', plan: plan() })).toBe(true);
    expect(isOpen({ state: 'failed', plan: plan() })).toBe(true);
    expect(isOpen({ state: 'checking', plan: plan() })).toBe(true);
    expect(isOpen({ state: 'failed', plan: null })).toBe(false);
    expect(isOpen({ state: 'complete', plan: plan() })).toBe(false);
    expect(isMoving({ state: 'checking' })).toBe(true);
    expect(isMoving({ state: 'running' })).toBe(true);
    expect(isMoving({ state: 'undoing' })).toBe(true);
    expect(isMoving({ state: 'complete' })).toBe(false);
  });

  it('knows how far it is by the lines of its check', () => {
    expect(fractionOf({ lines: 1, plan: plan({ check: check() }) })).toBe(0.25);
    expect(fractionOf({ lines: 9, plan: plan({ check: check() }) })).toBe(1);
    expect(fractionOf({ lines: 9, plan: plan() })).toBeNull();
    expect(fractionOf({ lines: 9, plan: null })).toBeNull();
  });
});

it('names every column that nothing is done with', () => {
  expect(unusedHeads(plan())).toEqual(['Colour']);
});

it('offers a value for all lines only for what no column and no value has, and what lines can share', () => {
  expect(openFields(plan()).map(({ column }) => column)).toEqual(['Product', 'Country']);
  expect(openFields(plan({ values: { Product: 'Chorus' } })).map(({ column }) => column)).toEqual(['Country']);
});

it('finds the product that a refusal misses', () => {
  expect(missingProduct('No product is named "Flanger".')).toBe('Flanger');
  expect(missingProduct('No product is named "He said "hi"".')).toBe('He said "hi"');
  expect(missingProduct('No product is named "…".')).toBeNull();
  expect(missingProduct('This is not an email address: "x".')).toBeNull();
});

it('shows the fields of checked lines in the order of the file, without those that are empty', () => {
  const column = (head: string, column: ImportPlan['columns'][number]['column']) => ({
    index: 0,
    head,
    examples: [],
    column,
  });
  const columns = [
    column('Key', 'Serial'),
    column('Note', null),
    column('Name', 'First Name'),
    column('Mail', 'Email'),
  ];
  // as the database keeps them: short names first
  const row = { line: 2, Email: 'a@example.com', Serial: 'A-1', Product: 'Chorus', refused: null, Reseller: null };
  const rows = [row, { ...row, 'First Name': 'Nina' }].map((each) => ({ 'First Name': null, ...each }));
  expect(shownFields({ columns }, rows)).toEqual(['Serial', 'First Name', 'Email', 'Product']);
});

it('shows all columns of a usual file, and of a very wide one those that are used and the first others', () => {
  const wide = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ index, column: index % 100 === 99 ? 'Serial' : null }));
  expect(firstColumns(wide(40))).toHaveLength(40);
  const first = firstColumns(wide(500)).map(({ index }) => index);
  expect(first).toEqual([...Array(35).keys(), 99, 199, 299, 399, 499]);
});
