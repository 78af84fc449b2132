import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { findProduct } from '#input/find-by-name.ts';
import { printRows } from '#output/rows.ts';
import { REFUSAL_STATUSES } from './refusal-statuses.ts';

export const licenseRefusals = defineCommand({
  path: 'license refusals',
  summary: 'List recently refused license calls and redemptions, and the reasons',
  operations: ['listLicenseRefusals'],
  options: {
    status: choice('<status>', 'only these, such as seat_limit', { values: REFUSAL_STATUSES }),
    product: text('<product>', 'only of this product: id or name'),
    ...PAGE,
  },
  examples: [
    'tonerow license refusals --status seat_limit --limit 20',
    'tonerow license refusals --status not_yet_valid',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const product = options.product ? await findProduct(api, options.product, context.io.signal) : undefined;
    const query = { status: options.status, product_id: product?.id };
    await printRows(context, api.paginate.listLicenseRefusals({ query }, context.call), options, {
      head: ['WHEN', 'CALL', 'STATUS', 'SERIAL', 'PRODUCT', 'MACHINE', 'VERSION', 'TIMES'],
      cells: (row) => [
        row.at,
        row.action,
        row.status,
        row.serial,
        row.product_name,
        row.machine,
        row.version,
        row.count,
      ],
      none: 'Nothing was refused.\n',
    });
  },
});
