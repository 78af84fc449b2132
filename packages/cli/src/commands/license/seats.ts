import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';
import { table } from '#output/table.ts';
import { asPlugin, card, KEY, MACHINE } from './as-plugin.ts';

export const licenseSeats = defineCommand({
  path: 'license seats',
  summary: 'List the machines that use a license, or release one of them',
  operations: ['sendSeatCode', 'listLicenseSeats', 'releaseLicenseSeat'],
  args: [['<license-key>', 'the serial']],
  options: {
    ...MACHINE,
    sendCode: flag('email the owner a code'),
    emailCode: text('<code>', 'the code from that email'),
    deviceCode: text('<code>', 'a device_code that was confirmed in the browser'),
    validationToken: text('<token>', `the validation token of this machine’s seat${OR_STDIN}`),
    release: text('<seat>', 'release the seat with this id'),
    ...KEY,
  },
  examples: [
    'tonerow license seats ABCD-EFGH-2345-6789 --machine studio-1 --send-code --key-file plugin-key.txt',
    'tonerow license seats ABCD-EFGH-2345-6789 --machine studio-1 --email-code BCDF-GHJK --key-file plugin-key.txt',
  ],
  async run({ context, args: [license_key], options }) {
    const api = await asPlugin(context, options);
    const about = { license_key, machine_id: options.machine };
    if (options.sendCode) {
      const answer = await api.sendSeatCode({ body: about }, context.call);
      return context.print(answer, 'If there is such a license, its owner has an email with a code.\n');
    }
    const proofs = {
      ...about,
      email_code: options.emailCode,
      device_code: options.deviceCode,
      validation_token: await givenToken(context, options.validationToken),
    };
    if (options.release !== undefined) {
      const answer = await api.releaseLicenseSeat({ body: { ...proofs, seat_id: options.release } }, context.call);
      return context.print(answer, card(answer));
    }
    const answer = await api.listLicenseSeats({ body: proofs }, context.call);
    const rows = answer.seats.map((seat) => [
      seat.id,
      seat.name ?? seat.machine,
      seat.os,
      seat.version,
      seat.last_seen_at,
    ]);
    await context.print(answer, table(['ID', 'MACHINE', 'SYSTEM', 'VERSION', 'LAST SEEN'], rows));
  },
});
