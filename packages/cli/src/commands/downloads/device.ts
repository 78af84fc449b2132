import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';
import { list, table } from '#output/table.ts';

export const downloadsDevice = defineCommand({
  path: 'downloads device',
  summary: 'Show the plugin that waits with a code, and confirm or deny it',
  operations: ['findDeviceCode', 'listDeviceSerials', 'confirmDeviceCode', 'denyDeviceCode'],
  args: [['<code>', 'what the plugin shows']],
  options: {
    dev: text('<id>', 'the developer whose plugin it is; on a custom domain not needed'),
    token: text('<token>', `list the serials that the end of an emailed link opens, after open=${OR_STDIN}`),
    confirm: text('<serial>', 'let the plugin be activated with this serial'),
    deny: flag('refuse the plugin'),
  },
  examples: [
    'tonerow downloads device BCDF-GHJK --dev 01900000-0000-7000-8000-000000000001',
    'tonerow downloads device BCDF-GHJK --dev 01900000-0000-7000-8000-000000000001 --token LINK-TOKEN --confirm ABCD-EFGH-2345-6789',
  ],
  async run({ context, args: [user_code], options }) {
    const api = await context.client();
    const asked = { user_code, dev: options.dev };
    if (options.deny) {
      await api.denyDeviceCode({ body: asked }, context.call);
      return context.note('The plugin has been refused.');
    }
    const serial = options.confirm;
    const token = await givenToken(context, options.token);
    if (serial !== undefined) {
      if (token === undefined) throw new UsageError('Specify what opens the serial: --token TOKEN.');
      await api.confirmDeviceCode({ body: { ...asked, token, serial } }, context.call);
      return context.note('The plugin is activated when it asks next.');
    }
    if (token !== undefined) {
      const answer = await api.listDeviceSerials({ body: { ...asked, token } }, context.call);
      const rows = answer.serials.map((each) => [each.serial, each.seats_used, each.max_activations]);
      return context.print(answer, table(['SERIAL', 'SEATS USED', 'SEATS'], rows));
    }
    const found = await api.findDeviceCode({ body: asked }, context.call);
    await context.print(
      found,
      list([
        ['Plugin', found.product],
        ['Machine', found.machine],
        ['System', found.os],
        ['Country', found.country],
        ['Answer', found.state],
      ]),
    );
  },
});
