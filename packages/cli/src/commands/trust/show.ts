import { defineCommand } from '#define/define-command.ts';
import { findTrustId } from '#input/find-by-name.ts';
import { trustCard } from './card.ts';

export const trustShow = defineCommand({
  path: 'trust show',
  summary: 'Show a trust, and what its jobs need',
  operations: ['getTrust', 'listTrusts'],
  shows: ['getTrust'],
  args: [['<trust>', 'name or id']],
  examples: ['tonerow trust show release'],
  async run({ context, args: [text] }) {
    const api = await context.api();
    const id = await findTrustId(api, text, context.io.signal);
    const trust = await api.getTrust({ path: { id } }, context.call);
    await context.print(trust, trustCard(trust));
  },
});
