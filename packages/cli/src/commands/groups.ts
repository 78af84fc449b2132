import type { Batch } from '@tonerow/sdk';
import type { Command, Options } from '../command.ts';
import { DRY_RUN, PAGE, YES } from '../command.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../exit.ts';
import { printRows } from '../output/rows.ts';
import { outOf, receive } from '../output/stream.ts';
import { counted, day, list, money } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { findProduct } from './resolve.ts';

const WHICH = [
  ['--kind <kind>', 'regular or promo, when a product and a promotion share the name'],
  ['--product <product>', 'id or name, when promotions of two products share the name'],
] as const;
const OUT = ['--out <file>', 'write to a file ("-" for standard output)', '-'] as const;

async function groupOf(context: Context, name: string | undefined, options: Options) {
  const { kind, product: wanted } = options;
  if (kind !== undefined && kind !== 'regular' && kind !== 'promo')
    throw new UsageError('--kind takes regular or promo.');
  const product = wanted ? await findProduct(await context.api(), wanted, context.io.signal) : undefined;
  return {
    path: { groupName: name as string },
    query: { kind: kind as 'regular' | 'promo' | undefined, product_id: product?.id },
  };
}

/** Groups as the dashboard names them, and the batches behind them. */
export const groupCommands: Command[] = [
  {
    path: 'serials export',
    summary: 'Export serials as CSV: redeemed, available, or one group',
    operations: ['listRedeemedSerials', 'listSerials', 'listSerialGroup'],
    args: [['<what>', 'redeemed, available, or the name of a group such as "Prism Delay · Black Friday"']],
    options: [
      ['--search <text>', 'for redeemed: name, e-mail, serial, product or day'],
      ['--range <range>', 'for redeemed: all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', 'all'],
      ...WHICH,
      OUT,
    ],
    examples: ['tonerow serials export redeemed --range 1m --out october.csv'],
    async run(context, [what], options) {
      const api = await context.api();
      const call = { ...context.call, accept: 'text/csv' };
      const response =
        what === 'redeemed'
          ? await api.stream.listRedeemedSerials({ query: { search: options.search, dateRange: options.range } }, call)
          : what === 'available'
            ? await api.stream.listSerials({ query: { state: 'available' } }, call)
            : await api.stream.listSerialGroup(await groupOf(context, what, options), call);
      await receive(context, response, outOf(options), 'Receiving');
    },
  },
  {
    path: 'serials group',
    summary: 'The available serials of one group',
    operations: ['listSerialGroup'],
    args: [['<name>', 'a product, or "product · tag"']],
    options: [...WHICH, ...PAGE],
    examples: [
      'tonerow serials group "Prism Delay" --all',
      'tonerow serials group "Prism Delay · Black Friday" --kind promo',
    ],
    async run(context, [name], options) {
      const api = await context.api();
      const input = await groupOf(context, name, options);
      await printRows(context, api.paginate.listSerialGroup(input, context.call), options, {
        head: [],
        cells: (row) => [row.code],
        none: '',
        more: '"tonerow serials export"',
      });
    },
  },
  {
    path: 'serials delete-group',
    summary: 'Delete the available serials of a group; redeemed and revoked ones stay',
    operations: ['deleteSerialGroup'],
    args: [['<name>', 'a product, or "product · tag"']],
    options: [...WHICH, DRY_RUN, YES],
    examples: [
      'tonerow serials delete-group "Prism Delay · Black Friday" --dry-run',
      'tonerow serials delete-group "Prism Delay · Black Friday" --yes',
    ],
    async run(context, [name], options) {
      const api = await context.api();
      const input = await groupOf(context, name, options);
      const text = `Are you sure you want to delete all serials in group ${name}?`;
      if (!options.dryRun) await confirm(context.io, { yes: options.yes, input: context.globals.input }, text);
      const query = { ...input.query, dry_run: Boolean(options.dryRun) };
      const done = await api.deleteSerialGroup({ ...input, query }, context.call);
      await context.print(done, `${done.message}\n`);
    },
  },
  {
    path: 'serials batches',
    summary: 'List batches, newest first',
    operations: ['listBatches'],
    options: [['--product <product>', 'id or name'], ['--search <text>', 'product, tag, notes or reseller'], ...PAGE],
    examples: ['tonerow serials batches --product "Prism Delay"'],
    async run(context, _args, options) {
      const api = await context.api();
      const product = options.product ? await findProduct(api, options.product, context.io.signal) : undefined;
      const query = { product_id: product?.id, search: options.search };
      await printRows(context, api.paginate.listBatches({ query }, context.call), options, {
        head: ['ID', 'PRODUCT', 'TAG', 'RESELLER', 'MADE OF', 'OPEN', 'REDEEMED', 'REVOKED', 'MADE'],
        cells: (row) => [
          row.id,
          row.product_name,
          row.batch_tag,
          row.reseller_name,
          row.quantity,
          row.open,
          row.redeemed,
          row.revoked,
          day(row.created_at),
        ],
        none: 'No batches yet.\n',
      });
    },
  },
  {
    path: 'serials batch',
    summary: 'One batch and what became of it; --out fetches its serials again',
    operations: ['getBatch'],
    args: [['<id>', 'from "tonerow serials batches"']],
    options: [['--out <file>', 'its serials as CSV ("-" for standard output)']],
    examples: [
      'tonerow serials batch 01900000-0000-7000-8000-000000000001',
      'tonerow serials batch 01900000-0000-7000-8000-000000000001 --out batch.csv',
    ],
    async run(context, [id], options) {
      const api = await context.api();
      // also before its serials: those of a batch that is not there would be none
      const batch = await api.getBatch({ path: { id: id as string } }, context.call);
      if (options.out) {
        const query = { batch_id: id as string };
        const response = await api.stream.listSerials({ query }, { ...context.call, accept: 'text/csv' });
        return receive(context, response, outOf(options), 'Receiving');
      }
      await context.print(batch, factsOf(batch));
    },
  },
  {
    path: 'serials revoke-batch',
    summary: 'Revoke what nobody redeemed of a batch',
    operations: ['revokeBatch'],
    args: [['<id>', 'from "tonerow serials batches"']],
    options: [DRY_RUN, YES],
    examples: [
      'tonerow serials revoke-batch 01900000-0000-7000-8000-000000000001 --dry-run',
      'tonerow serials revoke-batch 01900000-0000-7000-8000-000000000001 --yes',
    ],
    async run(context, [id], options) {
      const api = await context.api();
      const revoke = (dry_run: boolean) =>
        api.revokeBatch({ path: { id: id as string }, query: { dry_run } }, context.call);
      if (options.dryRun) {
        const would = await revoke(true);
        return context.print(would, `${counted(would.count, 'serial')} would be revoked.\n`);
      }
      await confirm(context.io, { yes: options.yes, input: context.globals.input }, 'Revoke the unredeemed rest?');
      const done = await revoke(false);
      await context.print(done, '');
      context.note(`${counted(done.count, 'serial')} revoked.`);
    },
  },
];

function factsOf(batch: Batch): string {
  return list([
    ['Batch', batch.id],
    ['Product', batch.product_name],
    ['Reseller', batch.reseller_name],
    ['Origin', batch.origin],
    ['Quantity', batch.quantity],
    ['Open', batch.open],
    ['Redeemed', batch.redeemed],
    ['Revoked', batch.revoked],
    ['Promo price', money(batch.promo_price)],
    ['Active from', batch.promo_start],
    ['Promo expires', batch.promo_expires],
    ['Expires', batch.expires_at],
    ['Tag', batch.batch_tag],
    ['Notes', batch.notes],
    ['Made', batch.created_at],
  ]);
}
