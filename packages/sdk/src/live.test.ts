import { expect, it } from 'vitest';
import { createClient, type LiveEvent, watchEvents } from './index.ts';

const stream = [
  'retry: 3000',
  ': heartbeat',
  '',
  'id: 7',
  'event: redemption',
  'data: {"product":"Hallé",',
  'data:"price":"99.00"}',
  '',
  'event:low_serials',
  'data:{"available":3}',
  '',
  ': heartbeat',
  '',
].join('\n');

it.each([
  ['line feeds', '\n'],
  ['carriage returns and line feeds', '\r\n'],
  ['carriage returns', '\r'],
])('live events are read from a stream with %s, wherever it is split', async (_name, lineEnd) => {
  const bytes = new TextEncoder().encode(stream.replaceAll('\n', lineEnd));
  // byte by byte: chunks end inside lines, line ends and characters
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const controller = new AbortController();
  const received: LiveEvent[] = [];
  const watch = { signal: controller.signal, onState: (state: string) => state === 'waiting' && controller.abort() };
  for await (const event of watchEvents(createClient({ baseUrl: 'http://server', fetch }), watch)) received.push(event);
  expect(received).toEqual([
    { type: 'redemption', data: { product: 'Hallé', price: '99.00' } },
    { type: 'low_serials', data: { available: 3 } },
  ]);
});
