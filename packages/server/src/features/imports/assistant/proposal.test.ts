import { describe, expect, it } from 'vitest';
import { proposedKind, proposedMapping, sampleColumns, unclearColumns } from './proposal.ts';

const sample = (head: string[], ...rows: string[][]) => ({ head, rows });

describe('what is in a file', () => {
  it.each([
    ['redeemed', sample(['Lizenzschlüssel', 'E-Mail'])],
    ['available', sample(['Code', 'Produkt'])],
    ['customers', sample(['Name', 'Correo electrónico'])],
    // by the cells alone
    ['redeemed', sample(['A', 'B'], ['ABCD-1234', 'nina@example.com'])],
    ['available', sample(['A', 'B'], ['ABCD-1234', 'Chorus'])],
    ['customers', sample(['A', 'B'], ['Nina', 'nina@example.com'])],
  ] as const)('%s', (kind, file) => {
    expect(proposedKind(file as never)).toBe(kind);
  });
});

describe('what each column is likely to be', () => {
  it('follows the heads, and leaves alone what it does not know', () => {
    const file = sample([
      'Bestellnummer',
      'Kaufdatum',
      'Vorname',
      'Nachname',
      'E-Mail',
      'Lizenzschlüssel',
      'Produkt',
      'Preis',
    ]);
    expect(proposedMapping(file, 'redeemed', [])).toEqual([
      null,
      'Purchase Date',
      'First Name',
      'Last Name',
      'Email',
      'Serial',
      'Product',
      'Total Price',
    ]);
  });

  it('gives the exact name to the column that has it, whatever comes first', () => {
    expect(proposedMapping(sample(['Code', 'Serial', 'Amount', 'Total Price']), 'redeemed', [])).toEqual([
      null,
      'Serial',
      null,
      'Total Price',
    ]);
  });

  it('looks at the cells where the head shows nothing: addresses, products of the account, codes', () => {
    const file = sample(
      ['a', 'b', 'c', ''],
      ['x', 'Chorus', 'nina@example.com', 'ABCD-1234'],
      ['x', 'chorus', 'dj@example.com', 'ABCD-1235'],
    );
    expect(proposedMapping(file, 'redeemed', ['Chorus'])).toEqual([null, 'Product', 'Email', 'Serial']);
  });

  it('takes a whole name only without its parts', () => {
    expect(proposedMapping(sample(['Name', 'First Name', 'Last Name', 'Email']), 'customers', [])[0]).toBeNull();
    expect(proposedMapping(sample(['Name', 'Email']), 'customers', [])).toEqual(['Full Name', 'Email']);
  });

  it('proposes nothing that this kind of import does not read', () => {
    expect(proposedMapping(sample(['Email', 'Price', 'Country']), 'customers', [])).toEqual(['Email', null, null]);
  });
});

it('shows the first cells of each column that are not empty', () => {
  const [code, notes] = sampleColumns(
    sample(['Code', 'Notes'], ['A', ''], ['="00B"', 'x'.repeat(200)], ['C', ''], ['D', '']),
  );
  expect(code).toEqual({ head: 'Code', examples: ['A', '00B', 'C'] });
  expect(notes?.examples).toEqual(['x'.repeat(80)]);
});

it('finds the columns that can be read in two ways', () => {
  const file = sample(['P', 'D', 'N'], ['41,597', '03/04/2026', '1,500'], ['12', '05/06/2026', '']);
  expect(unclearColumns(file, ['Total Price', 'Purchase Date', null])).toEqual([
    { column: 'Total Price', settles: 'decimal', examples: ['41,597'] },
    { column: 'Purchase Date', settles: 'date_order', examples: ['03/04/2026'] },
  ]);
  const clear = sample(['P', 'D'], ['41,597', '03/04/2026'], ['49,50', '31/12/2026']);
  expect(unclearColumns(clear, ['Total Price', 'Purchase Date'])).toEqual([]);
});
