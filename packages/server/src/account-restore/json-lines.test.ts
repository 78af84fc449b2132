import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { batchesIn, jsonbOf } from './json-lines.ts';

const rows = [
  '{"id":1}',
  '{"id":2,"name":"Bösendorfer\\u2028 \u2028"}',
  '{"id":3}',
  `{"id":4,"note":"${'é'.repeat(40)}"}`,
  '{"id":5}',
];

async function read(text: string, { chunk, lines, bytes }: { chunk: number; lines: number; bytes: number }) {
  const whole = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(whole.length / chunk) }, (_, i) =>
    whole.subarray(i * chunk, (i + 1) * chunk),
  );
  const found: unknown[][] = [];
  for await (const batch of batchesIn(Readable.from(chunks), { lines, bytes })) {
    const json = jsonbOf(batch);
    expect(json[0]).toBe(1);
    found.push(JSON.parse(json.subarray(1).toString()));
  }
  return found;
}

it.each(['\n', ''])('every line is in one batch, wherever the chunks are cut; the last ends with %j', async (end) => {
  const text = rows.join('\n') + end;
  const parsed = rows.map((row) => JSON.parse(row));
  for (let chunk = 1; chunk <= Buffer.byteLength(text); chunk += 1) {
    expect(await read(text, { chunk, lines: 2, bytes: 1e6 })).toEqual([
      parsed.slice(0, 2),
      parsed.slice(2, 4),
      parsed.slice(4),
    ]);
    expect((await read(text, { chunk, lines: 1000, bytes: 30 })).flat()).toEqual(parsed);
    expect(await read(text, { chunk, lines: Infinity, bytes: Infinity })).toEqual([parsed]);
  }
});

it('a batch is full by its bytes as well', async () => {
  expect(
    (await read(`${rows.join('\n')}\n`, { chunk: 7, lines: 1000, bytes: 30 })).map((batch) => batch.length),
  ).toEqual([2, 2, 1]);
});

it('of nothing there is no batch', async () => {
  expect(await read('', { chunk: 8, lines: 2, bytes: 30 })).toEqual([]);
});
