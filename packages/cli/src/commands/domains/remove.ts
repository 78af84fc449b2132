import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { Failure } from '#exit.ts';

export const domainsRemove = defineCommand({
  path: 'domains remove',
  summary: 'Stop serving at the custom domain',
  operations: ['removeCustomDomain', 'getPrivateBranding'],
  options: SURE,
  examples: ['tonerow domains remove --yes'],
  async run({ context, options }) {
    const api = await context.api();
    const sure = await context.sure(options, {
      question: 'Remove the custom domain?',
      look: async () => {
        const { custom_domain } = await api.getPrivateBranding({}, context.call);
        if (!custom_domain) throw new Failure('Custom domain not found.', 'not_found');
        return { custom_domain };
      },
      would: ({ custom_domain }) => `Nothing would be served at ${custom_domain} any more.`,
    });
    if (!sure) return;
    await api.removeCustomDomain({}, context.call);
    context.note('The custom domain has been removed.');
  },
});
