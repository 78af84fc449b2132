import { watchEvents } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { number } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { write } from '#io.ts';
import { isProgress, lineOf } from '#output/live-line.ts';
import { noteWithheld } from '#run/withheld.ts';

export const serialsWatch = defineCommand({
  path: 'serials watch',
  summary: 'Watch redemptions, imports and low stock live',
  operations: ['streamEvents'],
  fields: ['type', 'data'],
  options: {
    count: number('<n>', 'stop after this many events'),
  },
  examples: ['tonerow serials watch', 'tonerow serials watch --json | jq .data.serial'],
  async run({ context, options }) {
    const api = await context.api();
    const most = options.count ?? Number.POSITIVE_INFINITY;
    if (most < 1) throw new UsageError('--count takes a number above 0.');
    let seen = 0;
    let opened = false;
    let waiting = false;
    const onState = (state: 'open' | 'waiting', error?: unknown) => {
      // fail at once if the first connection fails
      if (!opened && error) throw error;
      opened = true;
      // once, however many tries it takes
      if (state === 'open') context.note('Watching. Press Ctrl-C to stop.');
      else if (!waiting) context.note('The connection was lost. Reconnecting …');
      waiting = state === 'waiting';
      noteWithheld(context);
    };
    for await (const event of watchEvents(api, { signal: context.io.signal, onState, ...context.timing })) {
      if (isProgress(event) && !context.globals.json) continue;
      await write(context.io.stdout, context.globals.json ? await context.lineOf(event) : `${lineOf(event)}\n`);
      seen += 1;
      if (seen >= most) return;
    }
  },
});
