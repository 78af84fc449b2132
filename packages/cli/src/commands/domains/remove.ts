import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';

export const domainsRemove = defineCommand({
  path: 'domains remove',
  summary: 'Stop serving at the custom domain',
  operations: ['removeCustomDomain'],
  options: YES,
  examples: ['tonerow domains remove --yes'],
  async run({ context, options }) {
    await context.confirm(options.yes, 'Remove the custom domain?');
    await (await context.api()).removeCustomDomain({}, context.call);
    context.note('The custom domain has been removed.');
  },
});
