import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { percent } from '#define/option-types.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { printReseller } from './profile.ts';

export const resellersRate = defineCommand({
  path: 'resellers rate',
  summary: 'Change a reseller’s commission for later redemptions; the reseller gets an email',
  operations: ['changeReseller', 'listResellers'],
  args: [
    ['<reseller>', 'name or id'],
    ['<percent>', 'the new commission'],
  ],
  options: YES,
  examples: ['tonerow resellers rate "Plugin Shop" 22.5 --yes'],
  async run({ context, args: [reseller, rate], options }) {
    const commission_rate = percent('<percent>', '').parse(rate, 'The commission');
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    const question = `Change the commission to ${rate}%? It counts for later redemptions only. The reseller gets an email.`;
    await context.confirm(options.yes, question);
    await printReseller(context, await api.changeReseller({ path: { id }, body: { commission_rate } }, context.call));
  },
});
