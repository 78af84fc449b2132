import type { Client } from '@tonerow/sdk';
import type { Command, Options } from '../command.ts';
import { DRY_RUN, PAGE } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure, UsageError } from '../exit.ts';
import { wholeNumber } from '../number.ts';
import { startProgress } from '../output/progress.ts';
import { printRows } from '../output/rows.ts';
import { outOf, receive } from '../output/stream.ts';
import { counted, day, money, table } from '../output/table.ts';
import { findProduct, priceOf } from './resolve.ts';
import { stateOf } from './serial-changes.ts';

const MAX_JSON = 10_000;
const accepts = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

const OUT = [
  ['--out <file>', 'write to a file ("-" for standard output)'],
  ['--format <format>', 'of that file: csv or ndjson', 'csv'],
] as const;

function formatOf(options: Options): 'csv' | 'ndjson' {
  if (options.format !== 'csv' && options.format !== 'ndjson') throw new UsageError('--format takes csv or ndjson.');
  return options.format;
}

async function orderOf(context: Context, api: Client, options: Options) {
  if (!options.product) throw new UsageError('Say for which product: --product ID or --product NAME.');
  const quantity = wholeNumber(options.quantity, '--quantity');
  const promo_price = priceOf(options.promoPrice, '--promo-price');
  const product = await findProduct(api, options.product, context.io.signal);
  const reseller = options.reseller ? await resellerOf(context, api, options.reseller) : undefined;
  return {
    product_id: product.id,
    quantity,
    prefix: options.prefix as string | undefined,
    promo_price,
    promo_start: options.promoStart as string | undefined,
    promo_expires: options.promoExpires as string | undefined,
    expires_at: options.expires as string | undefined,
    batch_tag: options.tag as string | undefined,
    notes: options.notes as string | undefined,
    reseller_id: reseller,
    new_reseller_name: options.newReseller as string | undefined,
  };
}

async function resellerOf(context: Context, api: Client, text: string): Promise<string> {
  const resellers = await api.listResellers({}, context.call);
  const found = resellers.find(
    (each) =>
      each.id === text ||
      each.name.toLowerCase() === text.toLowerCase() ||
      each.company_name.toLowerCase() === text.toLowerCase(),
  );
  if (!found) throw new Failure(`You have no reseller "${text}". --new-reseller makes one.`);
  return found.id;
}

export const serialCommands: Command[] = [
  {
    path: 'serials generate',
    summary: 'Generate a batch of serials: all of them, or none',
    operations: ['generateSerials'],
    fields: ['file'],
    once: true,
    options: [
      ['--product <product>', 'id or name'],
      ['--quantity <n>', '1 to 1,000,000; above 10,000 they come as by --out -', '10'],
      ['--prefix <text>', 'exactly 4 characters, A–Z and 0–9'],
      ['--promo-price <amount>', 'dollars'],
      ['--promo-start <date>', 'cannot be redeemed before, such as 2027-01-31'],
      ['--promo-expires <date>', 'the deal ends'],
      ['--expires <date>', 'cannot be redeemed after'],
      ['--tag <text>', 'batch tag'],
      ['--notes <text>', 'notes'],
      ['--reseller <reseller>', 'id or name'],
      ['--new-reseller <name>', 'a reseller without an account yet'],
      ...OUT,
      DRY_RUN,
    ],
    examples: [
      'tonerow serials generate --product "Prism Delay" --quantity 1000 --out serials.csv',
      'tonerow serials generate --product "Prism Delay" --quantity 5 --json',
      'tonerow serials generate --product "Prism Delay" --quantity 50000 --promo-price 49 --dry-run',
    ],
    async run(context, _args, options) {
      const format = formatOf(options);
      const api = await context.api();
      const body = await orderOf(context, api, options);
      if (options.dryRun) {
        const would = await api.generateSerials({ body: { ...body, dry_run: true } }, context.call);
        return context.print(would, `${counted(would.count, 'serial')} would be generated.\n`);
      }
      if (context.globals.json && !options.out && body.quantity > MAX_JSON)
        throw new UsageError('JSON holds 10,000 serials at the most. Give --out FILE, such as with --format ndjson.');
      if (!options.out && body.quantity <= MAX_JSON) {
        const made = await api.generateSerials({ body }, context.call);
        await context.print(made, made.serials.map((serial) => `${serial.code}\n`).join(''));
        return context.note(`${counted(made.count, 'serial')} generated.`);
      }
      const target = outOf(options);
      const waiting = await startProgress(context, 'Generating', body.quantity);
      const response = await api.stream
        .generateSerials({ body }, { ...context.call, accept: accepts[format] })
        .finally(() => waiting.stop());
      await receive(context, response, target, 'Receiving');
      const batch_id = response.headers.get('x-batch-id');
      if (context.globals.json && target.file !== '-')
        await context.print({ batch_id, count: Number(response.headers.get('x-total-count')), file: target.file }, '');
    },
  },
  {
    path: 'serials list',
    summary: 'List serials, newest first',
    operations: ['listSerials'],
    options: [
      ['--state <state>', 'available, redeemed or revoked'],
      ['--product <product>', 'id or name'],
      ['--batch <id>', 'of one batch'],
      ['--search <code>', 'the code or its beginning'],
      ...PAGE,
      ...OUT,
    ],
    examples: ['tonerow serials list --state available --product "Prism Delay" --out available.csv'],
    async run(context, _args, options) {
      const api = await context.api();
      const product = options.product ? await findProduct(api, options.product, context.io.signal) : undefined;
      const query = { state: options.state, product_id: product?.id, batch_id: options.batch, search: options.search };
      if (options.out) {
        const response = await api.stream.listSerials(
          { query },
          { ...context.call, accept: accepts[formatOf(options)] },
        );
        return receive(context, response, outOf(options), 'Receiving');
      }
      await printRows(context, api.paginate.listSerials({ query }, context.call), options, {
        head: ['SERIAL', 'PRODUCT', 'STATE', 'TAG', 'PROMO', 'EXPIRES', 'MADE'],
        cells: (each) => [
          each.code,
          each.product,
          stateOf(each),
          each.batch_tag,
          money(each.promo_price),
          day(each.expires_at),
          day(each.created_at),
        ],
        none: 'No serials found\n',
        more: '--out FILE',
      });
    },
  },
  {
    path: 'serials available',
    summary: 'How many serials are available, by product and promotion',
    operations: ['listAvailableSerials'],
    options: [
      ['--search <text>', 'code, product or tag'],
      ['--range <range>', 'all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', 'all'],
    ],
    examples: ['tonerow serials available --search "Black Friday"'],
    async run(context, _args, options) {
      const api = await context.api();
      const found = await api.listAvailableSerials(
        { query: { search: options.search, dateRange: options.range } },
        context.call,
      );
      const rows = found.groups.map(({ name, kind, product_name, count }) => [name, kind, product_name, count]);
      await context.print(
        found,
        found.total === 0 ? 'No serials found\n' : table(['GROUP', 'KIND', 'PRODUCT', 'AVAILABLE'], rows),
      );
    },
  },
  {
    path: 'serials redeemed',
    summary: 'Redeemed serials with their customers, newest first',
    operations: ['listRedeemedSerials'],
    options: [
      ['--search <text>', 'name, e-mail, serial, product or day'],
      ['--range <range>', 'all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', 'all'],
      ...PAGE,
    ],
    examples: ['tonerow serials redeemed --range 1w', 'tonerow serials redeemed --search nina@example.com --json'],
    async run(context, _args, options) {
      const api = await context.api();
      const query = { search: options.search, dateRange: options.range };
      await printRows(context, api.paginate.listRedeemedSerials({ query }, context.call), options, {
        head: ['DATE', 'FIRST', 'LAST', 'EMAIL', 'SERIAL', 'PRODUCT', 'TOTAL', 'STATE'],
        cells: (row) => [
          day(row.redeemed_at),
          row.first_name,
          row.last_name,
          row.email,
          row.code,
          row.product,
          money(row.total),
          row.status,
        ],
        none: 'No serials found\n',
      });
    },
  },
];
