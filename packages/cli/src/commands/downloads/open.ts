import { defineCommand } from '#define/define-command.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';
import { table } from '#output/table.ts';
import { cards } from './cards.ts';

export const downloadsOpen = defineCommand({
  path: 'downloads open',
  summary: 'Open the link from the email: shows products, machines and a download token',
  operations: ['openMyProducts'],
  args: [['<token>', `the end of the link, after open=${OR_STDIN}`]],
  examples: ['tonerow downloads open LINK-TOKEN', 'tonerow downloads open - < link-token.txt'],
  async run({ context, args: [token] }) {
    const found = await (await context.client()).openMyProducts(
      { body: { token: await givenToken(context, token) } },
      context.call,
    );
    const machines = Object.entries(found.machines).flatMap(([code, all]) =>
      all.map((each) => [each.id, code, each.name, each.version, each.last_seen_at]),
    );
    const seats =
      machines.length > 0 ? `\n${table(['ID', 'SERIAL', 'MACHINE', 'VERSION', 'LAST SEEN'], machines)}` : '';
    await context.print(found, cards(found.products) + seats);
  },
});
