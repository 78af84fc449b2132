import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findProductId } from '#input/find-by-name.ts';
import { list } from '#output/table.ts';
import { asPlugin, card, KEY, MACHINE, PRODUCT } from './as-plugin.ts';

export const licenseBrowser = defineCommand({
  path: 'license browser',
  summary: 'Ask the owner of a serial in the browser, or what they have answered',
  operations: ['startLicenseDevice', 'finishLicenseDevice'],
  options: {
    ...MACHINE,
    ...PRODUCT,
    label: text('<name>', 'the machine’s name, for whoever confirms'),
    os: text('<system>', 'its operating system'),
    deviceCode: text('<code>', 'ask what was answered, with the device_code of an earlier call'),
    ...KEY,
  },
  examples: [
    'tonerow license browser --product "Prism Delay" --machine studio-1 --key-file plugin-key.txt',
    'tonerow license browser --device-code tnr_lic_… --machine studio-1 --key-file plugin-key.txt',
  ],
  async run({ context, options }) {
    const api = await asPlugin(context, options);
    const { machine: machine_id, deviceCode: device_code, label, os } = options;
    if (device_code !== undefined) {
      const answer = await api.finishLicenseDevice({ body: { device_code, machine_id } }, context.call);
      return context.print(answer, `${card(answer)}Serial            ${answer.license_key}\n`);
    }
    if (!options.product) throw new UsageError('Specify the product: --product NAME.');
    const product_id = await findProductId(context, options.product);
    const answer = await api.startLicenseDevice({ body: { product_id, machine_id, label, os } }, context.call);
    await context.print(
      answer,
      list([
        ['Address', answer.verification_uri_complete],
        ['Code', answer.user_code],
        ['Device code', answer.device_code],
        ['Expires in', `${answer.expires_in} seconds`],
      ]),
    );
  },
});
