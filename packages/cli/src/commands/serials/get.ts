import type { SerialDetail } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { findSerialId } from '#input/find-by-name.ts';
import { mendCommands, standingLines } from '#output/standing.ts';
import { list, money, table } from '#output/table.ts';
import { chosen, day } from '#output/zone.ts';
import { stateOf } from './state.ts';

export const serialsGet = defineCommand({
  path: 'serials get',
  summary: 'Get a serial with its owner, machines and history',
  operations: ['getSerial'],
  args: [['<serial>', 'code or id']],
  examples: ['tonerow serials get ABCD-EFGH-2345-6789'],
  async run({ context, args: [text] }) {
    const api = await context.api();
    const id = await findSerialId(api, text, context.io.signal);
    const serial = await api.getSerial({ path: { id } }, context.call);
    await context.print(serial, pageOf(serial));
  },
});

function pageOf(serial: SerialDetail): string {
  const { customer, standing } = serial;
  const commands = mendCommands(standing).map((command) => `  ${command}`);
  const answer = `${[...standingLines(standing, 'serial'), ...commands].join('\n')}\n`;
  const facts = list([
    ['Serial', serial.code],
    ['State', stateOf(serial)],
    ['Product', serial.product],
    ['Reseller', serial.reseller_name],
    [
      'Customer',
      customer
        ? [customer.first_name, customer.last_name, customer.email && `<${customer.email}>`]
            .filter(Boolean)
            .join(' ') || customer.id
        : null,
    ],
    ['Price', money(serial.final_price)],
    ['Downloads', `${serial.download_count}/5`],
    ['Machines', `${serial.seats_used} of ${serial.max_activations}`],
    ['Batch', `${serial.batch_id}${serial.batch_tag ? ` (${serial.batch_tag})` : ''}`],
    ['Expires', chosen(serial.expires_at, 'end')],
    ['Redeem link', serial.redeem_link],
  ]);
  const machines = serial.machines.map((each) => [
    each.machine_id,
    each.version,
    day(each.last_seen_at),
    each.released_at ? 'released' : 'active',
  ]);
  const history = serial.history.map((each) => [each.at, each.kind.replace('_', ' '), money(each.amount), each.detail]);
  return [
    answer,
    facts,
    machines.length > 0 ? table(['MACHINE', 'VERSION', 'LAST SEEN', 'STATE'], machines) : '',
    table(['WHEN', 'WHAT', 'AMOUNT', ''], history),
  ]
    .filter((part) => part !== '')
    .join('\n');
}
