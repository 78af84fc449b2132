import type { InputOf } from '@tonerow/sdk';
import { api } from '#lib/api.ts';

export type GenerateRequest = InputOf<'generateSerials'>['body'];

/** The largest batch that is returned as JSON; larger ones stream. */
export const largestJson = 10_000;

export interface Batch {
  count: number;
  /** All codes of a small batch, the first of a large one. */
  codes: string[];
  csv: BlobPart[];
}

const previewed = 300;

/** Counts finished CSV rows as bytes go by; a line break inside quotes does not end a row. */
function rowCounter() {
  let quoted = false;
  let rows = 0;
  return (chunk: Uint8Array) => {
    for (const byte of chunk) {
      if (byte === 34) quoted = !quoted;
      else if (byte === 10 && !quoted) rows += 1;
    }
    return rows;
  };
}

/** Streams a batch of any size as CSV, and reports how many serials have arrived so far. */
export async function generateStreamed(
  body: GenerateRequest,
  idempotencyKey: string,
  onProgress: (count: number) => void,
): Promise<Batch> {
  const response = await api.stream.generateSerials({ body }, { idempotencyKey, headers: { accept: 'text/csv' } });
  const total = Number(response.headers.get('X-Total-Count') ?? body.quantity);
  const csv: BlobPart[] = [];
  const decoder = new TextDecoder();
  const count = rowCounter();
  let head = '';
  let rows = 0;
  if (!response.body) throw new Error('Serial generation failed.');
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    csv.push(value);
    if (head.length < previewed * 120) head += decoder.decode(value, { stream: true });
    rows = count(value);
    // The first line is the header.
    onProgress(Math.max(0, rows - 1));
  }
  const made = Math.max(0, rows - 1);
  if (made < total)
    throw new Error(
      `Only ${made} of ${total} serials arrived. The batch is complete on the server: find it under Available.`,
    );
  return { count: made, codes: firstCodes(head), csv };
}

function firstCodes(csv: string): string[] {
  return csv
    .split(/\r?\n/)
    .slice(1, previewed + 1)
    .map((line) => (line.split(',')[0] ?? '').replaceAll('"', ''))
    .filter((code) => code.length >= 4);
}
