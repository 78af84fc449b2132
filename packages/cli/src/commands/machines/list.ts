import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findSerialId } from '#input/find-by-name.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';

export const machinesList = defineCommand({
  path: 'machines list',
  summary: 'List the machines of a serial: those with a seat first',
  operations: ['listSerialMachines'],
  args: [['<serial>', 'code or id']],
  options: PAGE,
  examples: ['tonerow machines list ABCD-EFGH-2345-6789 --all'],
  async run({ context, args: [text], options }) {
    const api = await context.api();
    const id = await findSerialId(api, text, context.io.signal);
    await printRows(context, api.paginate.listSerialMachines({ path: { id }, query: {} }, context.call), options, {
      head: ['ID', 'MACHINE', 'NAME', 'VERSION', 'LAST SEEN', 'STATE'],
      cells: (row) => [
        row.id,
        row.machine_id,
        row.label,
        row.version,
        day(row.last_seen_at),
        row.released_at ? 'released' : 'active',
      ],
      none: 'No machines found\n',
    });
  },
});
