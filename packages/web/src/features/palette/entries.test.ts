import { describe, expect, it } from 'vitest';
import { entriesOf, matching } from './entries.ts';

const labels = (text: string, reseller = false) => matching(entriesOf(reseller), text).map(({ label }) => label);

describe('the entries of the palette', () => {
  it('are found by any of their words, the nearest name first', () => {
    expect(labels('export')).toEqual(['Export serials', 'Export customers']);
    expect(labels('dark')).toEqual(['Toggle theme']);
    expect(labels('cust')[0]).toBe('Customers');
    expect(labels('GENERATE')[0]).toBe('Generate serials');
  });

  it('hold what the role can do', () => {
    expect(labels('key', true)).toEqual(['Keyboard shortcuts']);
    expect(labels('admin')).toEqual([]);
    expect(matching(entriesOf(true, true), 'admin')).toHaveLength(3);
  });

  it.each([false, true])('have names and second keys of their own (reseller: %s)', (reseller) => {
    const entries = entriesOf(reseller, true);
    const seconds = entries.flatMap(({ g }) => g ?? []);
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
    expect(new Set(seconds).size).toBe(seconds.length);
  });
});
