import { defineCommand } from '#define/define-command.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';
import { list, table } from '#output/table.ts';

export const downloadsOpenOrder = defineCommand({
  path: 'downloads open-order',
  summary: 'Open the link to the codes of an order',
  operations: ['openOrder'],
  args: [['<token>', `the end of the link, after codes=${OR_STDIN}`]],
  examples: ['tonerow downloads open-order LINK-TOKEN'],
  async run({ context, args: [token] }) {
    const found = await (await context.client()).openOrder(
      { body: { token: await givenToken(context, token) } },
      context.call,
    );
    const facts = list([
      ['Order', found.order],
      ['State', found.state],
    ]);
    const codes = found.codes.map(({ code, product }) => [code, product]);
    await context.print(found, codes.length > 0 ? `${facts}\n${table(['CODE', 'PRODUCT'], codes)}` : facts);
  },
});
