import { expect, it, vi } from 'vitest';
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

it.each([
  ['a moment ago', 1_100, '?behind=2', []],
  ['longer ago than the server remembers', 301_000, '', [{ type: 'resync', data: {} }]],
])('lists that were fetched %s', async (_name, ago, asked, first) => {
  const addresses: string[] = [];
  const controller = new AbortController();
  const fetch = async (request: string | URL | Request) => {
    addresses.push(new URL(request instanceof Request ? request.url : request).search);
    return new Response('retry: 3000\n\n', { headers: { 'content-type': 'text/event-stream' } });
  };
  const received: LiveEvent[] = [];
  const onState = (state: string) => state === 'waiting' && controller.abort();
  const watch = { signal: controller.signal, onState, fetchedAt: performance.now() - ago };
  for await (const event of watchEvents(createClient({ baseUrl: 'http://server', fetch }), watch)) received.push(event);
  expect([addresses, received]).toEqual([[asked], first]);
});

it('a stream that is silent for longer than three heartbeats is opened again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let opened = 0;
    const fetch = async () => {
      opened += 1;
      return new Response(new ReadableStream({}), { headers: { 'content-type': 'text/event-stream' } });
    };
    const controller = new AbortController();
    const states: string[] = [];
    const watch = { signal: controller.signal, onState: (state: string) => void states.push(state) };
    const first = watchEvents(createClient({ baseUrl: 'http://server', fetch }), watch).next();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(states).toEqual(['open']);
    // the silence, and then the wait before the next try
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await first).toEqual({ done: false, value: { type: 'resync', data: {} } });
    expect([states, opened]).toEqual([['open', 'waiting', 'open'], 2]);
    controller.abort();
  } finally {
    vi.useRealTimers();
  }
});
