import { type LiveEvent, watchEvents } from '@tonerow/sdk';
import type { Command } from '../command.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../exit.ts';
import { write } from '../io.ts';
import { hasColors } from '../output/color.ts';
import { filtered } from '../output/jq.ts';
import { money } from '../output/table.ts';

export const liveCommands: Command[] = [
  {
    path: 'serials watch',
    summary: 'Redemptions, imports and low stock, as they happen',
    operations: ['streamEvents'],
    fields: ['type', 'data'],
    options: [['--count <n>', 'stop after so many']],
    examples: ['tonerow serials watch', 'tonerow serials watch --json | jq .data.serial'],
    async run(context, _args, options) {
      const api = await context.api();
      const most = options.count === undefined ? Number.POSITIVE_INFINITY : Number(options.count);
      if (!(most > 0)) throw new UsageError('--count takes a number above 0.');
      let seen = 0;
      let opened = false;
      const onState = (state: 'open' | 'waiting', error?: unknown) => {
        // what never worked is not waited for
        if (!opened && error) throw error;
        opened = true;
        context.note(state === 'open' ? 'Watching. Press Ctrl-C to stop.' : 'The connection broke. Trying again …');
      };
      for await (const event of watchEvents(api, { signal: context.io.signal, onState })) {
        if (event.type === 'import' && event.data.state === 'running' && !context.globals.json) continue;
        await write(context.io.stdout, context.globals.json ? await eventText(context, event) : `${lineOf(event)}\n`);
        seen += 1;
        if (seen >= most) return;
      }
    },
  },
  {
    path: 'ui',
    summary: 'Browse products, batches and serials, and watch redemptions arrive, in the terminal',
    operations: [],
    examples: ['tonerow ui'],
    async run(context) {
      if (!context.io.stdin.isTTY || !context.io.stdout.isTTY) {
        throw new UsageError('This needs a terminal. Scripts have "tonerow serials list" and its neighbours.');
      }
      const api = await context.api();
      const me = await api.getMe({}, context.call);
      if (me.role !== 'developer') throw new UsageError('This is for developers.');
      const file: string = './live.mjs';
      const { browse } = (await import(file)) as typeof import('../ui/live.tsx');
      await browse(api, {
        signal: context.io.signal,
        title: me.company_name ?? me.email,
        server: await context.url(),
        color: hasColors(context.io.env, context.io.stdout, context.globals.color),
      });
    },
  },
];

/** One event as one line of JSON, or what a jq program makes of it. */
async function eventText(context: Context, event: LiveEvent): Promise<string> {
  const picked = context.pick(event);
  return context.globals.jq === undefined ? `${JSON.stringify(picked)}\n` : filtered(picked, context.globals.jq);
}

/** One event as one line. */
export function lineOf({ type, data }: LiveEvent): string {
  const text = (name: string) => String(data[name] ?? '').replace(/[^\P{Cc}]/gu, '');
  const now = new Date().toISOString().slice(11, 19);
  if (type === 'redemption') {
    const name = [text('first_name'), text('last_name')].filter((part) => part !== '').join(' ');
    return `${now}  redeemed   ${text('serial')}  ${text('product_name')}  ${name} <${text('email')}>  ${money(Number(data.total))}`;
  }
  if (type === 'low_serials') return `${now}  low        ${text('product_name')}: ${text('serials_available')} left`;
  if (type === 'import')
    return `${now}  import     ${text('kind')} ${text('state')}: ${text('count')} added, ${text('rejected')} rejected`;
  return `${now}  ${type}`;
}
