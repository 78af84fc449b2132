import type { OperationClient } from '@tonerow/sdk/operations';
import { DRY_RUN } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { amount, number, text, type ValuesOf } from '#define/option-types.ts';
import { Failure, PartialError, UsageError } from '#exit.ts';
import { everyReseller, findProduct } from '#input/find-by-name.ts';
import { sameName } from '#input/same-name.ts';
import { outOf, receiveOnly } from '#output/files/stream.ts';
import { startProgress } from '#output/progress.ts';
import { counted } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { accepts, OUT } from './export-options.ts';

const MAX_JSON = 10_000;

const ORDER = {
  product: text('<product>', 'id or name'),
  quantity: number('<n>', '1 to 1,000,000, 10 by default; more than 10,000 are streamed to standard output or --out'),
  prefix: text('<text>', 'exactly 4 characters, A–Z and 0–9'),
  promoPrice: amount('<amount>', 'dollars'),
  promoStart: text('<date>', 'first day on which they can be redeemed, such as 2027-01-31'),
  promoExpires: text('<date>', 'last day of the promo'),
  expires: text('<date>', 'last day to redeem'),
  tag: text('<text>', 'batch tag'),
  notes: text('<text>', 'notes'),
  reseller: text('<reseller>', 'id or name'),
  newReseller: text('<name>', 'a new reseller, who has no account yet'),
  dealRequest: text('<id>', 'accept this request for a deal; its terms are the defaults of the other options'),
};

async function orderOf(context: Context, api: OperationClient, options: ValuesOf<typeof ORDER>) {
  const asked = options.dealRequest
    ? await api.getDealRequest({ path: { id: options.dealRequest } }, context.call)
    : undefined;
  const named = options.product ?? asked?.product_id;
  if (!named) throw new UsageError('Specify the product: --product ID or --product NAME.');
  const product = await findProduct(api, named, context.io.signal);
  const reseller = options.reseller ? await resellerOf(context, api, options.reseller) : undefined;
  return {
    product_id: product.id,
    quantity: options.quantity ?? asked?.quantity ?? 10,
    prefix: options.prefix,
    promo_price: options.promoPrice ?? asked?.price,
    promo_start: options.promoStart ?? asked?.promo_start,
    promo_expires: options.promoExpires ?? asked?.promo_expires,
    expires_at: options.expires ?? asked?.expires_at,
    batch_tag: options.tag,
    notes: options.notes,
    reseller_id: reseller ?? asked?.reseller_id,
    new_reseller_name: options.newReseller,
    deal_request_id: asked?.id,
  };
}

async function resellerOf(context: Context, api: OperationClient, text: string): Promise<string> {
  const resellers = await everyReseller(api, context.call);
  const found = resellers.find(
    (each) => each.id === text || sameName(each.name, text) || sameName(each.company_name, text),
  );
  if (!found) throw new Failure(`You have no reseller "${text}". Use --new-reseller to create one.`, 'not_found');
  return found.id;
}

export const serialsGenerate = defineCommand({
  path: 'serials generate',
  summary: 'Generate a batch of serials (all or nothing)',
  operations: ['generateSerials', 'getDealRequest'],
  fields: ['file'],
  once: true,
  options: {
    ...ORDER,
    ...OUT,
    ...DRY_RUN,
  },
  examples: [
    'tonerow serials generate --product "Prism Delay" --quantity 1000 --out serials.csv',
    'tonerow serials generate --product "Prism Delay" --quantity 5 --json',
    'tonerow serials generate --product "Prism Delay" --quantity 50000 --promo-price 49 --dry-run',
    'tonerow serials generate --deal-request 01900000-0000-7000-8000-000000000001 --tag "Spring"',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const body = await orderOf(context, api, options);
    if (options.dryRun) {
      const would = await api.generateSerials({ body: { ...body, dry_run: true } }, context.call);
      return context.print(would, `${counted(would.count, 'serial')} would be generated.\n`);
    }
    if (context.globals.json && !options.out && body.quantity > MAX_JSON)
      throw new UsageError(
        'JSON output is limited to 10,000 serials. Use --out FILE, for example with --format ndjson.',
      );
    if (!options.out && body.quantity <= MAX_JSON) {
      const made = await api.generateSerials({ body }, context.call);
      await mustArrive(context, made.batch_id, made.count, () =>
        context.print(made, made.serials.map((serial) => `${serial.code}\n`).join('')),
      );
      return context.note(`${counted(made.count, 'serial')} generated. Batch: ${made.batch_id}`);
    }
    const target = outOf(context, options.out);
    const waiting = await startProgress(context, 'Generating', { total: body.quantity, unit: 'rows' });
    const response = await api.stream
      .generateSerials({ body }, { ...context.call, accept: accepts[options.format] })
      .finally(() => waiting.stop());
    const batch_id = response.headers.get('x-batch-id');
    const count = Number(response.headers.get('x-total-count'));
    await mustArrive(context, batch_id, count, () => receiveOnly(context, response, target, 'Receiving'));
    if (context.globals.json && target.file !== '-') await context.print({ batch_id, count, file: target.file }, '');
  },
});

/**
 * Prints serials. @throws {PartialError} that names the batch, when the program that reads them, such as head, stops
 * reading.
 */
async function mustArrive(
  context: Context,
  batchId: string | null,
  count: number,
  print: () => Promise<unknown>,
): Promise<void> {
  try {
    await print();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE' || batchId === null) throw error;
    context.warn('batch', `Batch: ${batchId}`);
    throw new PartialError(
      `Not all of ${counted(count, 'serial')} were printed, and all of them were generated. Get them: tonerow serials batch ${batchId} --out FILE`,
    );
  }
}
