import { describe, expect, it } from 'vitest';
import { ColumnReader, dayOrderEvidence, decimalEvidence, ReadAgain, UnclearColumn, type Ways } from './reading.ts';

const verdictOf = (
  evidence: ReturnType<typeof decimalEvidence> | ReturnType<typeof dayOrderEvidence>,
  cells: string[],
) => {
  for (const cell of cells) evidence.see(cell);
  return evidence.verdict;
};

describe('a column as a whole', () => {
  it('has a decimal comma when one of its cells has, and then 41,597 has three decimals', () => {
    expect(verdictOf(decimalEvidence(), ['41,597', '12', '49,50'])).toEqual({ is: 'clear', way: 'comma' });
  });

  it('is ambiguous when no cell shows, mixed when two disagree, and open when it does not matter', () => {
    expect(verdictOf(decimalEvidence(), ['12', '41,597'])).toEqual({ is: 'ambiguous', example: '41,597' });
    expect(verdictOf(decimalEvidence(), ['1,50', '1.50'])).toEqual({ is: 'mixed', examples: ['1.50', '1,50'] });
    expect(verdictOf(decimalEvidence(), ['12', '', '5'])).toEqual({ is: 'open' });
    expect(verdictOf(dayOrderEvidence(), ['03/04/2026', '31/12/2026'])).toEqual({ is: 'clear', way: 'dmy' });
    expect(verdictOf(dayOrderEvidence(), ['03/04/2026'])).toEqual({ is: 'ambiguous', example: '03/04/2026' });
    expect(verdictOf(dayOrderEvidence(), ['31/12/2026', '12/31/2026'])).toEqual({
      is: 'mixed',
      examples: ['31/12/2026', '12/31/2026'],
    });
  });
});

/** Reads a column as an import does: again when it has to. */
function read(cells: string[], given: Partial<Ways> = {}): { signs: string[]; readings: number } {
  let known: ReadonlyMap<string, string> = new Map();
  for (let readings = 1; ; readings += 1) {
    const reader = new ColumnReader(given, known);
    try {
      const signs = cells.map((cell) => reader.decimalOf('Total Price', cell));
      reader.finish();
      return { signs, readings };
    } catch (error) {
      if (!(error instanceof ReadAgain)) throw error;
      known = error.ways;
    }
  }
}

describe('reading a column', () => {
  it('takes all cells by what one of them shows', () => {
    expect(read(['49,50', '41,597'])).toEqual({ signs: ['comma', 'comma'], readings: 1 });
    expect(read(['12', '1.50'])).toEqual({ signs: ['point', 'point'], readings: 1 });
  });

  it('begins again when a later cell shows that the first were taken wrong', () => {
    expect(read(['41,597', '12', '49,50'])).toEqual({ signs: ['comma', 'comma', 'comma'], readings: 2 });
    expect(read(['41,597', '12', '49.50']).readings).toBe(1);
  });

  it('asks when no cell shows, or two disagree', () => {
    expect(() => read(['41,597', '12'])).toThrow(
      new UnclearColumn({ column: 'Total Price', settles: 'decimal', examples: ['41,597'] }),
    );
    expect(() => read(['41,597'])).toThrow('Set decimal to point or comma.');
    expect(() => read(['1.50', '1,50'])).toThrow(
      'Total Price has a decimal point in "1.50" and a decimal comma in "1,50".',
    );
  });

  it('does as it is told, whatever the cells look like', () => {
    expect(read(['41,597', '1.50', '1,50'], { decimal: 'comma' })).toEqual({
      signs: ['comma', 'comma', 'comma'],
      readings: 1,
    });
  });

  it('reads each column by itself', () => {
    const reader = new ColumnReader();
    expect(reader.decimalOf('Promo Price', '1,50')).toBe('comma');
    expect(reader.decimalOf('Total Price', '1.50')).toBe('point');
    expect(reader.dayOrderOf('Active From', '31/12/2026')).toBe('dmy');
    expect(reader.dayOrderOf('Active To', '12/31/2026')).toBe('mdy');
    reader.finish();
  });

  it('names the parameter for dates', () => {
    const reader = new ColumnReader();
    reader.dayOrderOf('Purchase Date', '03/04/2026');
    expect(() => reader.finish()).toThrow('Set date_order to dmy or mdy.');
  });
});
