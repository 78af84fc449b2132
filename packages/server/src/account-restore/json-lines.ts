import type { Readable } from 'node:stream';

/** The first byte of jsonb where PostgreSQL sends it as bytes. */
const JSONB = 1;
const LINE_FEED = 10;

/**
 * Whole lines as they are, several at once: a million of them as strings would be as much garbage. By line feeds alone, since other separators
 * of lines are text.
 */
export async function* batchesIn(source: Readable, limits: { lines: number; bytes: number }): AsyncGenerator<Buffer> {
  let [open, lines, bytes]: [Buffer[], number, number] = [[], 0, 0];
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      lines += 1;
      if (lines < limits.lines && bytes + at - from < limits.bytes) continue;
      yield Buffer.concat([...open, chunk.subarray(from, at + 1)]);
      [open, lines, bytes, from] = [[], 0, 0, at + 1];
    }
    if (from < chunk.length) open.push(chunk.subarray(from));
    bytes += chunk.length - from;
  }
  if (open.length > 0) yield Buffer.concat(open);
}

/** An array of JSON from lines of JSON, as PostgreSQL takes it without a string in between. */
export function jsonbOf(lines: Buffer): Buffer {
  const end = lines.at(-1) === LINE_FEED ? lines.length - 1 : lines.length;
  const json = Buffer.alloc(end + 3);
  json.writeUInt8(JSONB);
  json.write('[', 1);
  lines.copy(json, 2, 0, end);
  for (let at = json.indexOf(LINE_FEED); at !== -1; at = json.indexOf(LINE_FEED, at + 1)) json.write(',', at);
  json.write(']', end + 2);
  return json;
}
