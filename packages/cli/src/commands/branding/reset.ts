import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { page } from './page.ts';

export const brandingReset = defineCommand({
  path: 'branding reset',
  summary: 'Reset the branding to its default',
  operations: ['resetBranding'],
  options: YES,
  examples: ['tonerow branding reset --yes'],
  async run({ context, options }) {
    await context.confirm(options.yes, 'Reset the branding?');
    const { branding } = await (await context.api()).resetBranding({}, context.call);
    await context.print(branding, page(branding));
  },
});
