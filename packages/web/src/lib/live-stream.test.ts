import type { LiveEvent } from '@tonerow/sdk';
import { expect, it } from 'vitest';
import { LiveStream } from './live-stream.ts';

const sale = { type: 'sale', data: {} } as LiveEvent;
const resync: LiveEvent = { type: 'resync', data: {} };

/** Streams that send what a test gives them. */
function scene() {
  const asked: number[] = [];
  let arrive: (event: LiveEvent) => void = () => undefined;
  const stream = new LiveStream(async function* ({ signal, fetchedAt }) {
    asked.push(fetchedAt);
    while (!signal.aborted) yield await new Promise<LiveEvent>((resolve) => (arrive = resolve));
  });
  const send = async (event: LiveEvent) => {
    arrive(event);
    await new Promise(setImmediate);
  };
  return { stream, asked, send };
}

it('one that wants all and comes after something was heard begins with a resync, and no other', async () => {
  const { stream, send } = scene();
  const heard: Record<'first' | 'early' | 'late' | 'other', LiveEvent[]> = {
    first: [],
    early: [],
    late: [],
    other: [],
  };
  stream.subscribe((event) => heard.first.push(event));
  stream.subscribe((event) => heard.early.push(event), { wantsAll: true });
  await send(sale);
  stream.subscribe((event) => heard.late.push(event), { wantsAll: true });
  stream.subscribe((event) => heard.other.push(event));
  await send(sale);
  expect(heard).toEqual({ first: [sale, sale], early: [sale, sale], late: [resync, sale], other: [sale] });
});

it('a stream that begins again asks for what happened since it ended', async () => {
  const { stream, asked, send } = scene();
  const stop = stream.subscribe(() => undefined, { wantsAll: true });
  await send(sale);
  const before = performance.now();
  stop();
  const heard: LiveEvent[] = [];
  stream.subscribe((event) => heard.push(event), { wantsAll: true });
  expect(asked[0]).toBe(0);
  expect(asked[1]).toBeGreaterThanOrEqual(before);
  // the server answers it, not what another stream had heard
  expect(heard).toEqual([]);
});
