import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { list } from '#output/table.ts';

export const brandingPreview = defineCommand({
  path: 'branding preview',
  summary: 'Show the branding that customers see, by developer or by host',
  operations: ['getBranding', 'getBrandingByHost'],
  options: {
    dev: text('<id>', 'a developer id; your own by default'),
    host: text('<host>', 'a custom domain'),
  },
  examples: ['tonerow branding preview', 'tonerow branding preview --host app.example.com'],
  async run({ context, options }) {
    // without a developer it is your own, which needs a credential
    const api = options.host || options.dev ? await context.client() : await context.api();
    const found = options.host
      ? await api.getBrandingByHost({ query: { host: options.host } }, context.call)
      : await api.getBranding({ query: options.dev ? { dev: options.dev } : {} }, context.call);
    await context.print(found, list(Object.entries(found)));
  },
});
