import { defineCommand } from '../../define-command.ts';
import { page } from './page.ts';

export const brandingGet = defineCommand({
  path: 'branding get',
  summary: 'How the redemption page looks',
  operations: ['getPrivateBranding'],
  examples: ['tonerow branding get'],
  async run({ context }) {
    const branding = await (await context.api()).getPrivateBranding({}, context.call);
    await context.print(branding, page(branding));
  },
});
