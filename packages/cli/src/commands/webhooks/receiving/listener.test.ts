import { ConnectionError, NotFoundError } from '@tonerow/sdk';
import { expect, it } from 'vitest';
import { Listener } from './listener.ts';

const MINUTE = 60_000;

it('A listener whose replacement failed is replaced at the next look, and the warning names when it was there last', async () => {
  let now = Date.parse('2026-03-10T12:00:00Z');
  let reachable = true;
  let alive = true;
  const created: number[] = [];
  const warnings: string[] = [];
  const api = {
    async createWebhookListener() {
      if (!reachable) throw new ConnectionError('no network');
      created.push(now);
      alive = true;
      return { id: String(created.length), after: null };
    },
    async renewWebhookListener() {
      if (!alive) throw new NotFoundError('It has ended.', { status: 404 });
      return { id: String(created.length), after: null };
    },
  };
  const context = { io: { now: () => now }, call: {}, warn: (_: string, text: string) => warnings.push(text) };
  const listener = new Listener(context as never, api as never, ['*']);
  await listener.start();
  now += 180 * MINUTE;
  [alive, reachable] = [false, false];
  await expect(listener.keep()).rejects.toBeInstanceOf(ConnectionError);
  reachable = true;
  now += 2000;
  await listener.keep();
  expect(created).toEqual([Date.parse('2026-03-10T12:00:00Z'), now]);
  expect(warnings).toEqual([expect.stringContaining('Events since 2026-03-10T12:00:00.000Z may be missing')]);
});
