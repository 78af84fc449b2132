import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { page } from './page.ts';

export const brandingReset = defineCommand({
  path: 'branding reset',
  summary: 'Reset the branding to its default',
  operations: ['resetBranding', 'getPrivateBranding'],
  options: SURE,
  examples: ['tonerow branding reset --yes'],
  async run({ context, options }) {
    const api = await context.api();
    const sure = await context.sure(options, {
      question: 'Reset the branding?',
      look: () => api.getPrivateBranding({}, context.call),
      would: () => 'All that “tonerow branding get” shows would be as it was at first.',
    });
    if (!sure) return;
    const { branding } = await api.resetBranding({}, context.call);
    await context.print(branding, page(branding));
  },
});
