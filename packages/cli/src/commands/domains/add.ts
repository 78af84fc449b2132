import { defineCommand } from '#define/define-command.ts';
import { PartialError } from '#exit.ts';

export const domainsAdd = defineCommand({
  path: 'domains add',
  summary: 'Serve the redemption page at your own domain',
  operations: ['setCustomDomain'],
  args: [['<domain>', 'such as app.example.com']],
  examples: ['tonerow domains add app.example.com'],
  async run({ context, args: [domain] }) {
    const api = await context.api();
    const done = await api.setCustomDomain({ body: { domain } }, context.call);
    await context.print(done, `${done.message}\n`);
    if (done.verified) return;
    const { dns_target } = await api.getPrivateBranding({}, context.call);
    context.note(`Create a CNAME record: ${done.domain} → ${dns_target}. DNS is checked again every few minutes.`);
    throw new PartialError(`${done.domain} is not active yet: its DNS does not point here.`);
  },
});
