import { defineCommand } from '#define/define-command.ts';
import { texts } from '#define/option-types.ts';
import { table } from '#output/table.ts';

export const drawsReturn = defineCommand({
  path: 'draws return',
  summary: 'Return codes of a canceled sale to stock; they can be handed out again',
  operations: ['returnDraw'],
  args: [['<reference>', 'your name for the sale']],
  options: { code: texts('<code>', 'only this code; may be repeated. Default: all of the draw') },
  examples: ['tonerow draws return order-1042', 'tonerow draws return order-1042 --code PRSM-7K4Q-9XWT-2HBC'],
  async run({ context, args: [reference], options: { code } }) {
    const api = await context.api();
    const body = code.length > 0 ? { codes: code } : {};
    const answer = await api.returnDraw({ path: { reference }, body }, context.call);
    const rows = [
      ...answer.returned.map((each) => [each, 'returned']),
      ...answer.not_returned.map((each) => [each.code, `not returned: ${each.state}`]),
    ];
    await context.print(answer, table(['CODE', 'STATE'], rows));
  },
});
