import type { Command } from '../command.ts';
import { PAGE, YES } from '../command.ts';
import { wholeNumber } from '../number.ts';
import { printRows } from '../output/rows.ts';
import { list, table } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { findProduct, findSerialId } from './resolve.ts';

export const machineCommands: Command[] = [
  {
    path: 'serials seats',
    summary: 'Give one serial seats of its own, or as many as its product has',
    operations: ['setSerialSeats'],
    args: [
      ['<serial>', 'code or id'],
      ['<seats>', 'a number, or "product"'],
    ],
    examples: ['tonerow serials seats ABCD-EFGH-2345-6789 5', 'tonerow serials seats ABCD-EFGH-2345-6789 product'],
    async run(context, [text, seats]) {
      const api = await context.api();
      const id = await findSerialId(api, text as string, context.io.signal);
      const max_activations = seats === 'product' ? null : wholeNumber(seats as string, 'SEATS');
      const done = await api.setSerialSeats({ path: { id }, body: { max_activations } }, context.call);
      await context.print(done, `${done.seats_used} of ${done.max_activations} seats are taken.\n`);
    },
  },
  {
    path: 'machines release',
    summary: 'Free the seat of a machine',
    operations: ['releaseSerialMachine'],
    args: [['<id>', 'from "tonerow serials get --json"']],
    options: [YES],
    examples: ['tonerow machines release 01900000-0000-7000-8000-000000000001 --yes'],
    async run(context, [id], options) {
      await confirm(context.io, { yes: options.yes, input: context.globals.input }, 'Free this machine’s seat?');
      const done = await (await context.api()).releaseSerialMachine({ path: { id: id as string } }, context.call);
      await context.print(done, '');
      context.note(done.released ? 'The seat is free.' : 'It was free already.');
    },
  },
  {
    path: 'machines stats',
    summary: 'Active machines, versions and operating systems',
    operations: ['getMachineAnalytics'],
    options: [['--product <product>', 'id or name']],
    examples: ['tonerow machines stats --product "Prism Delay"'],
    async run(context, _args, options) {
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
              ['VERSION', 'MACHINES'],
              found.versions.map((row) => [row.version ?? 'unknown', row.count]),
            )
          : '',
        found.systems.length > 0
          ? table(
              ['SYSTEM', 'MACHINES'],
              found.systems.map((row) => [row.os ?? 'unknown', row.count]),
            )
          : '',
      ];
      await context.print(found, human.filter((part) => part !== '').join('\n'));
    },
  },
  {
    path: 'license refusals',
    summary: 'License calls that were refused lately, and why',
    operations: ['listLicenseRefusals'],
    options: [
      ['--status <status>', 'only these, such as seat_limit'],
      ['--product <product>', 'only of this product: id or name'],
      ...PAGE,
    ],
    examples: ['tonerow license refusals --status seat_limit --limit 20'],
    async run(context, _args, options) {
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
  },
];
