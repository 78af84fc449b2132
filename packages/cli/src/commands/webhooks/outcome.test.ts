import { expect, it } from 'vitest';
import { PartialError } from '#exit.ts';
import { printAttempt } from './outcome.ts';

it('A delivery that was not sent again in time fails, whatever came of it before', async () => {
  for (const last_error of [null, 'timeout']) {
    const delivery = { id: '1', url: 'https://example.com', state: 'waiting', attempts: 1, last_error, history: [] };
    const printed: unknown[] = [];
    const context = {
      io: { signal: new AbortController().signal },
      call: {},
      print: async (value: unknown) => printed.push(value),
    };
    const api = { getWebhookDelivery: async () => delivery };
    await expect(printAttempt(context as never, api as never, '1', 1, 0)).rejects.toThrow(
      new PartialError('The event has not been sent yet.'),
    );
    expect(printed).toEqual([delivery]);
  }
});
