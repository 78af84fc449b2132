import { describe, expect, it } from 'vitest';
import { jsonTable, looksLikeJson } from './json-rows.ts';

async function read(value: unknown) {
  const { head, records } = jsonTable(typeof value === 'string' ? value : JSON.stringify(value));
  const lines: Record<string, string>[] = [];
  for await (const { cells } of records)
    lines.push(Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
  return lines;
}

describe('a JSON file', () => {
  it('has its records in a list, in `data`, or in the longest list', async () => {
    const record = { key: 'A-1', seats: 2, free: false, end: null };
    const line = { key: 'A-1', seats: '2', free: 'false', end: '' };
    expect(await read([record])).toEqual([line]);
    expect(await read({ data: [record], meta: { pages: 1 } })).toEqual([line]);
    expect(await read({ tags: [{ name: 'a' }], licenses: [record, record] })).toEqual([line, line]);
    expect(await read(`\uFEFF ${JSON.stringify([record])}`)).toEqual([line]);
  });

  it('has a column for each path, also of what only some records have', async () => {
    expect(
      await read([{ user: { email: 'a@example.com' } }, { user: { name: { first: 'Nina' } }, tags: ['x', 'y'] }]),
    ).toEqual([
      { 'user.email': 'a@example.com', 'user.name.first': '', tags: '' },
      { 'user.email': '', 'user.name.first': 'Nina', tags: 'x, y' },
    ]);
  });

  it('joins what a list of objects has, and reads pairs of key and value as what they mean', async () => {
    const [line] = await read([
      {
        activations: [{ fingerprint: 'm-1' }, { fingerprint: 'm-2' }],
        metadata: [{ key: 'tier', value: 'pro' }],
      },
    ]);
    expect(line).toEqual({ 'activations.fingerprint': 'm-1, m-2', 'metadata.tier': 'pro' });
  });

  it('of JSON:API has attributes as columns, and what is included as what it belongs to', async () => {
    const [line] = await read({
      data: [
        {
          id: 'l-1',
          type: 'licenses',
          attributes: { key: 'KEY-0001', metadata: { tier: 'pro' } },
          relationships: {
            user: { links: {}, data: { type: 'users', id: 'u-1' } },
            machines: {
              data: [
                { type: 'machines', id: 'm-1' },
                { type: 'machines', id: 'm-2' },
              ],
            },
            group: { data: null },
          },
          links: { self: '/l-1' },
        },
      ],
      included: [
        { id: 'u-1', type: 'users', attributes: { email: 'nina@example.com' } },
        { id: 'm-1', type: 'machines', attributes: { fingerprint: 'aa' } },
        { id: 'm-2', type: 'machines', attributes: { fingerprint: 'bb' } },
      ],
    });
    expect(line).toEqual({
      id: 'l-1',
      type: 'licenses',
      key: 'KEY-0001',
      'metadata.tier': 'pro',
      'user.email': 'nina@example.com',
      'user.id': 'u-1',
      'machines.fingerprint': 'aa, bb',
      'machines.id': 'm-1, m-2',
    });
  });

  it('that is cut off, has no records or far too many values is refused in words', () => {
    expect(() => jsonTable('[{"a": 1}, {"a"')).toThrow('Was it cut off?');
    expect(() => jsonTable('[]')).toThrow('has no records');
    expect(() => jsonTable('{"a": 1}')).toThrow('has no records');
    expect(() => jsonTable('[1, 2]')).toThrow('has no records');
    const wide = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`k${at}`, at]));
    expect(() => jsonTable(JSON.stringify([wide]))).toThrow('more than 500 values');
  });

  it('leaves out what is nested deeper than a cell can be, and is not followed into the depths', async () => {
    const deep = `${'{"a":'.repeat(5000)}"x"${'}'.repeat(5000)}`;
    expect(await read(`[{"key": "A-1", "deep": ${deep}}]`)).toEqual([{ key: 'A-1' }]);
  });

  it('keeps names that mean something to JavaScript as what they are', async () => {
    expect(await read('[{"__proto__": "x", "constructor": "y"}]')).toEqual([
      Object.fromEntries([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    ]);
  });
});

it('is told from a table by its beginning', () => {
  for (const begin of ['[{"a":1}]', ' \n[ {', '{"data":[', '\uFEFF[{', '[]', '{}'])
    expect.soft(looksLikeJson(begin)).toBe(true);
  for (const begin of ['Key,Email', '[Key],Email', '"a","b"', '{Key};x', '', 'PK'])
    expect.soft(looksLikeJson(begin)).toBe(false);
});
