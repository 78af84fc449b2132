import { defineCommand } from '#define/define-command.ts';
import { list, table } from '#output/table.ts';
import { chosen } from '#output/zone.ts';

export const drawsShow = defineCommand({
  path: 'draws show',
  summary: 'Show the codes of a draw and their states',
  operations: ['getDraw'],
  args: [['<reference>', 'your name for the sale']],
  examples: ['tonerow draws show order-1042'],
  async run({ context, args: [reference] }) {
    const draw = await (await context.api()).getDraw({ path: { reference } }, context.call);
    const facts = list([
      ['Reference', draw.reference],
      ['Product', draw.product_name],
      ['Developer', draw.developer_name],
      ['Tag', draw.batch_tag],
      ['Handed out', draw.created_at],
    ]);
    const rows = draw.serials.map((each) => [
      each.code,
      each.state.replace('_', ' '),
      each.redeemed_at ?? each.returned_at,
      chosen(each.expires_at, 'end', draw.developer_time_zone),
    ]);
    await context.print(draw, `${facts}\n${table(['CODE', 'STATE', 'SINCE', 'REDEEM BY'], rows)}`);
  },
});
