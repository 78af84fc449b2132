import { defineCommand } from '#define/define-command.ts';
import { page } from './page.ts';

export const brandingGet = defineCommand({
  path: 'branding get',
  summary: 'Show or change the branding of the redemption page',
  operations: ['getPrivateBranding'],
  examples: ['tonerow branding get'],
  async run({ context }) {
    const branding = await (await context.api()).getPrivateBranding({}, context.call);
    await context.print(branding, page(branding));
    if (!branding.support_email && !branding.support_url) {
      context.note('No support address is set: customers write to your account’s email through a form on the page.');
    }
  },
});
