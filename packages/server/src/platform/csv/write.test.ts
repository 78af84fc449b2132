import { csvCells } from '@tonerow/test-support/csv-cells.ts';
import { expect, it } from 'vitest';
import { csvLine } from './write.ts';

it.each(csvCells)('writes the cell of %j, which no spreadsheet runs, as the SDK does', (value, cell) => {
  expect(csvLine(['x', value])).toBe(`x,${cell}\r\n`);
});
