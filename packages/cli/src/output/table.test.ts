import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TableParts, table } from './table.ts';
import { cutTo, withTableWidth } from './table-width.ts';

const ID = '01900000-0000-7000-8000-000000000001';
const plain = (text: string) => stripVTControlCharacters(text);
const head = ['ID', 'NAME', 'STATE', 'PRICE'];
const row = [ID, 'Prism Delay, the one with a very long name', 'submitted', '$49.00'];

describe('a table', () => {
  it('has names before ids', () => {
    expect(plain(table(['ID', 'NAME'], [['1', 'Echo']]))).toBe('NAME  ID\nEcho  1\n');
  });

  it('is as wide as the terminal: words are cut, ids and numbers are not', () => {
    const printed = withTableWidth(80, () => plain(table(head, [row])));
    const [names, cells] = printed.split('\n');
    expect(names).toMatch(/^NAME +STATE +PRICE +ID$/);
    expect(cells).toMatch(new RegExp(`^Prism Delay, .*…  submitted  \\$49\\.00  ${ID}$`));
    for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('is whole without a terminal, and where it fits', () => {
    expect(plain(table(head, [row]))).toContain(row[1]);
    expect(withTableWidth(200, () => plain(table(head, [row])))).toContain(row[1]);
  });

  it('leaves ids out where a terminal is too narrow for them and a row has a name', () => {
    const printed = withTableWidth(40, () => plain(table(head, [row])));
    expect(printed).toMatch(/^NAME +STATE +PRICE\nPrism Delay,.*… {2}submitted {2}\$49\.00\n$/);
    for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('is left to a terminal that is too narrow for ids that are all there is', () => {
    expect(withTableWidth(40, () => plain(table(['ID', 'STATE'], [[ID, 'active']])))).toContain(ID);
  });

  it('is not cut on a terminal that does not know its size', () => {
    const name = 'a name that is longer than a column has to be';
    expect(withTableWidth(0, () => table(['NAME', 'WHAT'], [[name, name]]))).toContain(`${name}  ${name}`);
  });

  it('in parts keeps the columns that were cut as they are', () => {
    withTableWidth(60, () => {
      const parts = new TableParts(['NAME', 'ID']);
      const [, first = ''] = plain(parts.part([['a name that is far too long for it', ID]])).split('\n');
      const second = plain(parts.part([['another name that is longer than that one', ID]]));
      expect(second.indexOf(ID)).toBe(first.indexOf(ID));
      expect(second.trimEnd().length).toBeLessThanOrEqual(60);
    });
  });

  it('counts what is shown twice as wide as two', () => {
    expect(cutTo('プリズム', 8)).toBe('プリズム');
    expect(cutTo('プリズム', 7)).toBe('プリズ…');
    expect(cutTo('Prism Delay', 7)).toBe('Prism…');
  });
});
