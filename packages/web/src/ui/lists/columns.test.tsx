import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { columns as customerColumns } from '#features/customers/customer-rows.tsx';
import { columns as redeemedColumns } from '#features/serials/redeemed/redeemed-rows.tsx';
import { useColumns } from './columns.tsx';
import type { Column } from './table.tsx';

const columns: Column<string>[] = [
  { key: 'code', header: 'Code', cell: (row) => row },
  { key: 'total', header: 'Total', optional: true, cell: (row) => row },
  { key: 'country', header: 'Country', extra: true, cell: (row) => row },
];

function Heads({ all }: { all: Column<never>[] }) {
  return useColumns('things', all)
    .shown.filter(({ quiet }) => !quiet)
    .map(({ key, header }) => <th key={key}>{header}</th>);
}

/** The heads that somebody sees in whose browser this is kept. */
function headsOf<T>(all: Column<T>[], kept: Record<string, string> = {}): string[] {
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept[key] ?? null });
  return [...renderToStaticMarkup(<Heads all={all as Column<never>[]} />).matchAll(/<th>(.*?)<\/th>/g)].map(
    ([, head]) => head ?? '',
  );
}

describe('the columns of a table', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('are those of the list itself for whoever has chosen none', () => {
    expect(headsOf(redeemedColumns)).toEqual(['Redeem Date', 'First', 'Last', 'Email', 'Serial', 'Product', 'Total']);
    expect(headsOf(customerColumns)).toEqual(['Signup Date', 'First Name', 'Last Name', 'Email', 'ID', 'Last Login']);
  });

  it('leave out what is hidden, and have what is chosen besides', () => {
    expect(headsOf(columns)).toEqual(['Code', 'Total']);
    expect(headsOf(columns, { 'hidden columns of things': '["total"]' })).toEqual(['Code', 'Country']);
    expect(headsOf(columns, { 'hidden columns of things': '["code","country","gone"]' })).toEqual(['Code', 'Total']);
  });

  it('stay hidden that were hidden before there were others to choose', () => {
    expect(headsOf(columns, { 'columns of things': '["total"]' })).toEqual(['Code']);
    for (const broken of ['{', '3', '"total"', 'null'])
      expect(headsOf(columns, { 'hidden columns of things': broken, 'columns of things': broken })).toEqual([
        'Code',
        'Total',
      ]);
  });
});
