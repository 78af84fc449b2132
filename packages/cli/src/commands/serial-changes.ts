import type { Client, Serial, SerialDetail } from '@tonerow/sdk';
import type { Command } from '../command.ts';
import { DRY_RUN, YES } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure, PartialError } from '../exit.ts';
import { day, list, money, table } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { findSerialId } from './resolve.ts';

export function stateOf(serial: Pick<Serial, 'revoked' | 'redeemed_at'>): string {
  if (serial.revoked) return 'revoked';
  return serial.redeemed_at ? 'redeemed' : 'available';
}

/** The same for several serials: each is tried, and what failed is said. */
async function each(
  context: Context,
  serials: string[],
  done: string,
  run: (api: Client, id: string) => Promise<Serial>,
): Promise<void> {
  const api = await context.api();
  const changed: Serial[] = [];
  let failed = 0;
  for (const text of serials) {
    try {
      const serial = await run(api, await findSerialId(api, text, context.io.signal));
      changed.push(serial);
      context.note(`${done} ${serial.code}`);
    } catch (error) {
      context.io.signal.throwIfAborted();
      if (serials.length === 1 || !isAboutOne(error)) {
        if (changed.length > 0) await context.print(changed, '');
        throw error;
      }
      failed += 1;
      context.warn(`${text}: ${(error as Error).message}`);
    }
  }
  await context.print(changed, '');
  if (failed > 0) throw new PartialError(`${failed} of ${serials.length} failed.`);
}

/** Whether the next serial may fare better: not without a server, nor without a credential. */
function isAboutOne(error: unknown): boolean {
  if (error instanceof Failure) return true;
  const { status } = error as { status?: number };
  return status !== undefined && status !== 401 && status < 500;
}

/** One serial's page, and what can be done to some of them. */
export const serialChangeCommands: Command[] = [
  {
    path: 'serials revoke',
    summary: 'Revoke serials: redemption, downloads and licensing stop at once',
    operations: ['revokeSerial', 'changeSerials'],
    args: [['<serial...>', 'codes or ids']],
    options: [DRY_RUN],
    examples: [
      'tonerow serials revoke ABCD-EFGH-2345-6789 --dry-run',
      'tonerow serials revoke ABCD-EFGH-2345-6789 BCDE-FGHJ-3456-789A',
    ],
    run: (context, serials, options) =>
      options.dryRun
        ? tryOut(context, serials, 'revoke')
        : each(context, serials, 'Revoked', (api, id) => api.revokeSerial({ path: { id } }, context.call)),
  },
  {
    path: 'serials reassign',
    summary: 'Take revocations back',
    operations: ['reassignSerial', 'changeSerials'],
    args: [['<serial...>', 'codes or ids']],
    options: [DRY_RUN],
    examples: ['tonerow serials reassign ABCD-EFGH-2345-6789'],
    run: (context, serials, options) =>
      options.dryRun
        ? tryOut(context, serials, 'reassign')
        : each(context, serials, 'Reassigned', (api, id) => api.reassignSerial({ path: { id } }, context.call)),
  },
  {
    path: 'serials delete',
    summary: 'Delete serials that nobody redeemed',
    operations: ['changeSerials'],
    args: [['<serial...>', 'codes or ids']],
    options: [DRY_RUN, YES],
    examples: ['tonerow serials delete ABCD-EFGH-2345-6789 --yes'],
    async run(context, serials, options) {
      if (options.dryRun) return tryOut(context, serials, 'delete');
      const what = serials.length === 1 ? 'this serial' : `these ${serials.length} serials`;
      await confirm(context.io, { yes: options.yes, input: context.globals.input }, `Delete ${what} for good?`);
      const done = await change(context, serials, 'delete', false);
      await context.print(done, '');
      context.note(`${done.count} deleted${done.skipped > 0 ? `, ${done.skipped} redeemed and kept` : ''}.`);
    },
  },
  {
    path: 'serials refresh',
    summary: 'Set download counts back to 0, at the plan’s price',
    operations: ['refreshSerial'],
    args: [['<serial...>', 'codes or ids']],
    examples: ['tonerow serials refresh ABCD-EFGH-2345-6789'],
    async run(context, serials) {
      let cost = 0;
      await each(context, serials, 'Refreshed', async (api, id) => {
        const serial = await api.refreshSerial({ path: { id } }, context.call);
        cost += serial.refresh_cost;
        return serial;
      });
      if (cost > 0) context.note(`Charged: ${money(cost)}.`);
    },
  },
  {
    path: 'serials get',
    summary: 'One serial: its owner, its machines, its history',
    operations: ['getSerial'],
    args: [['<serial>', 'code or id']],
    examples: ['tonerow serials get ABCD-EFGH-2345-6789'],
    async run(context, [text]) {
      const api = await context.api();
      const id = await findSerialId(api, text as string, context.io.signal);
      const serial = await api.getSerial({ path: { id } }, context.call);
      await context.print(serial, pageOf(serial));
    },
  },
];

function change(context: Context, serials: string[], action: 'revoke' | 'reassign' | 'delete', dry_run: boolean) {
  return context.api().then(async (api) => {
    const ids: string[] = [];
    for (const text of serials) ids.push(await findSerialId(api, text, context.io.signal));
    return api.changeSerials({ body: { action, ids, dry_run } }, context.call);
  });
}

async function tryOut(context: Context, serials: string[], action: 'revoke' | 'reassign' | 'delete'): Promise<void> {
  const done = await change(context, serials, action, true);
  const skipped = done.skipped > 0 ? `, ${done.skipped} would stay as they are` : '';
  await context.print(done, `${done.count} would be changed${skipped}.\n`);
}

function pageOf(serial: SerialDetail): string {
  const { customer } = serial;
  const facts = list([
    ['Serial', serial.code],
    ['State', stateOf(serial)],
    ['Product', serial.product],
    ['Reseller', serial.reseller_name],
    [
      'Customer',
      customer ? [customer.first_name, customer.last_name, `<${customer.email}>`].filter(Boolean).join(' ') : null,
    ],
    ['Price', money(serial.final_price)],
    ['Downloads', `${serial.download_count}/5`],
    ['Machines', `${serial.seats_used} of ${serial.max_activations}`],
    ['Batch', `${serial.batch_id}${serial.batch_tag ? ` (${serial.batch_tag})` : ''}`],
    ['Expires', serial.expires_at],
  ]);
  const machines = serial.machines.map((each) => [
    each.machine_id,
    each.version,
    day(each.last_seen_at),
    each.released_at ? 'released' : 'active',
  ]);
  const history = serial.history.map((each) => [each.at, each.kind, each.detail]);
  return [
    facts,
    machines.length > 0 ? table(['MACHINE', 'VERSION', 'LAST SEEN', 'STATE'], machines) : '',
    table(['WHEN', 'WHAT', ''], history),
  ]
    .filter((part) => part !== '')
    .join('\n');
}
