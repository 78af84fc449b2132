import { defineCommand } from '../../define-command.ts';
import { confirm } from '../../prompt.ts';
import { YES } from '../../shared-options.ts';

export const domainsRemove = defineCommand({
  path: 'domains remove',
  summary: 'Stop serving at the custom domain',
  operations: ['removeCustomDomain'],
  options: YES,
  examples: ['tonerow domains remove --yes'],
  async run({ context, options }) {
    await confirm(context.io, { yes: options.yes, input: context.globals.input }, 'Remove the custom domain?');
    await (await context.api()).removeCustomDomain({}, context.call);
    context.note('The custom domain has been removed.');
  },
});
