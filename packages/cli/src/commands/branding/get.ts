import { defineCommand } from '../../define-command.ts';
import { page } from './page.ts';

export const brandingGet = defineCommand({
  path: 'branding get',
  summary: 'Show or change the branding of the redemption page',
  operations: ['getPrivateBranding'],
  examples: ['tonerow branding get'],
  async run({ context }) {
    const branding = await (await context.api()).getPrivateBranding({}, context.call);
    await context.print(branding, page(branding));
  },
});
