import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findProduct } from '#input/find-by-name.ts';
import { list, table } from '#output/table.ts';

export const machinesStats = defineCommand({
  path: 'machines stats',
  summary: 'Active machines, versions and operating systems',
  operations: ['getMachineAnalytics'],
  options: {
    product: text('<product>', 'id or name'),
  },
  examples: ['tonerow machines stats --product "Prism Delay"'],
  async run({ context, options }) {
    const api = await context.api();
    const product = options.product ? await findProduct(api, options.product, context.io.signal) : undefined;
    const found = await api.getMachineAnalytics({ query: { product_id: product?.id } }, context.call);
    const human = [
      list([
        ['Active (30 days)', found.active_machines],
        ['With a seat', found.machines],
      ]),
      found.versions.length > 0
        ? table(
            ['VERSION', 'ACTIVATIONS'],
            found.versions.map((row) => [row.version ?? 'unknown', row.count]),
          )
        : '',
      found.systems.length > 0
        ? table(
            ['SYSTEM', 'ACTIVATIONS'],
            found.systems.map((row) => [row.os ?? 'unknown', row.count]),
          )
        : '',
    ];
    await context.print(found, human.filter((part) => part !== '').join('\n'));
  },
});
