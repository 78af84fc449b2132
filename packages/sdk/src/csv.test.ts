import { csvCells } from '@tonerow/test-support/csv-cells.ts';
import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it.each(csvCells)('writes the cell of %j as the server does', (value, cell) => {
  expect(toCsv(['Name', 'Value'], [['x', value]])).toBe(`Name,Value\r\nx,${cell}\r\n`);
});

it('leaves the cell of nothing empty, and ends every record with a line end', () => {
  expect(toCsv(['=A'], [[undefined], []])).toBe("'=A\r\n\r\n\r\n");
});
