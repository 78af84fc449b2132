import { getProductRsaFormat } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choice, flag, text } from '#define/option-types.ts';
import { findProduct } from '#input/find-by-name.ts';
import { readTextFile } from '#input/local-file.ts';
import { OUT, show } from '#output/files/raw.ts';
import { outOf } from '#output/files/stream.ts';
import { list } from '#output/table.ts';

export const productsRsa = defineCommand({
  path: 'products rsa',
  summary: 'Get the RSA public key for a JUCE or HISE plugin; --import sets your own key pair',
  operations: ['getProductRsa', 'importProductRsa'],
  args: [['<product>', 'id or name']],
  options: {
    format: choice('<format>', 'json, juce ("e,n"), cpp or hise (RSA.xml)', {
      values: getProductRsaFormat,
      fallback: 'juce',
    }),
    import: text('<pem>', 'a file with a private key of 2048 bits or more, e = 65537'),
    replace: flag('replace it even though shipped plugins carry the old public key'),
    ...OUT,
  },
  examples: [
    'tonerow products rsa "Prism Delay" --format cpp',
    'tonerow products rsa "Prism Delay" --import private-key.pem --replace',
  ],
  async run({ context, args: [name], options }) {
    const api = await context.api();
    const { id } = await findProduct(api, name, context.io.signal);
    if (options.import) {
      const body = { private_key_pem: await readTextFile(options.import), replace: options.replace };
      const done = await api.importProductRsa({ path: { id }, body }, context.call);
      return context.print(done, list(Object.entries(done).map(([key, value]) => [key, String(value)])));
    }
    const query = { format: options.format };
    const response = await api.stream.getProductRsa({ path: { id }, query }, { ...context.call, accept: '*/*' });
    await show(context, response, outOf(context, options.out, 'public'));
  },
});
