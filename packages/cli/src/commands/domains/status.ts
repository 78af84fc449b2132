import { defineCommand } from '#define/define-command.ts';
import { UsageError } from '#exit.ts';

export const domainsStatus = defineCommand({
  path: 'domains status',
  summary: 'Check whether the domain points here',
  operations: ['getDomainStatus'],
  args: [['[domain]', 'your own by default']],
  examples: ['tonerow domains status app.example.com'],
  async run({ context, args: [given] }) {
    const api = await context.api();
    const domain = given ?? (await api.getPrivateBranding({}, context.call)).custom_domain;
    if (!domain) throw new UsageError('You have no custom domain. Add one with "tonerow domains add".');
    const status = await api.getDomainStatus({ query: { domain } }, context.call);
    const words = status.verified
      ? 'verified'
      : status.registered
        ? 'registered, awaiting verification'
        : 'not registered';
    await context.print(status, `${domain}: ${words}\n`);
  },
});
