import { describe, expect, it } from 'vitest';
import { ColumnReader } from './reading.ts';
import { SourceTable } from './source-table.ts';

async function* none() {}

const endOf = (cell: string, timeZone = 'UTC') => {
  const table = new SourceTable({
    file: { head: ['Expires'], records: none() },
    places: new Map([['License Ends', 0]]),
    reader: new ColumnReader(),
    timeZone,
  });
  return table.licenseEnd({ line: 2, cells: [cell] });
};

describe('the end of a license', () => {
  it.each(['', '0', 'lifetime', 'Never', 'unlimited', 'N/A', '0000-00-00', '0000-00-00 00:00:00', 'null'])(
    '%j is none',
    (cell) => {
      expect(endOf(cell)).toBeNull();
    },
  );

  it('is a day, to its last moment on the account’s clock', () => {
    expect(endOf('2027-01-31')).toEqual({ at: new Date('2027-01-31T23:59:59.999Z'), day: '2027-01-31' });
    expect(endOf('2027-01-31', 'America/New_York')?.day).toBe('2027-01-31');
  });

  it('is a moment, or the seconds of Unix', () => {
    expect(endOf('2027-01-31T10:00:00Z')?.at).toEqual(new Date('2027-01-31T10:00:00Z'));
    expect(endOf('4102444800')).toEqual({ at: new Date('2100-01-01T00:00:00Z'), day: '2100-01-01' });
    expect(endOf('4102444800', 'America/New_York')?.day).toBe('2099-12-31');
  });

  it('that is nothing of the kind is refused', () => {
    expect(() => endOf('soon')).toThrow('License Ends is not a date');
  });
});
