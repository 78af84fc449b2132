import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { fileOf } from '#input/local-file.ts';

export const filesImage = defineCommand({
  path: 'files image',
  summary: 'Upload a product image or a logo, and print its URL',
  operations: ['uploadImage', 'uploadLogo'],
  args: [['<file>', 'PNG, JPEG, WebP or GIF, at most 10 MB']],
  options: {
    logo: flag('for the account, not for a product'),
  },
  examples: ['tonerow files image cover.png', 'tonerow files image logo.png --logo'],
  async run({ context, args: [file], options }) {
    const api = await context.api();
    const body = { file: await fileOf(file) };
    const done = options.logo
      ? await api.uploadLogo({ body }, context.call)
      : await api.uploadImage({ body }, context.call);
    await context.print(done, `${done.url}\n`);
  },
});
