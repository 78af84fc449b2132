import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { list } from '#output/table.ts';

export const accountConfirmTerminal = defineCommand({
  path: 'account confirm-terminal',
  summary: 'Sign in another terminal with the code that it shows, as in the browser',
  operations: ['findDeviceSignIn', 'approveDeviceSignIn', 'denyDeviceSignIn'],
  shows: ['findDeviceSignIn'],
  args: [['<code>', 'eight characters, such as BCDF-GHJK']],
  options: { deny: flag('refuse it instead'), ...YES },
  examples: ['tonerow account confirm-terminal BCDF-GHJK', 'tonerow account confirm-terminal BCDF-GHJK --deny'],
  async run({ context, args: [code], options }) {
    const api = await context.api();
    const body = { user_code: code };
    const terminal = await api.findDeviceSignIn({ body }, context.call);
    const facts = list([
      ['Code', terminal.user_code],
      // the person who started it chose the name
      ['Machine', terminal.machine === null ? null : `"${terminal.machine}"`],
      ['Program', terminal.device],
      ['Country', terminal.country],
      ['Address', terminal.same_network ? `${terminal.ip} (this network)` : terminal.ip],
      ['Started', terminal.created_at],
    ]);
    if (options.deny) {
      await api.denyDeviceSignIn({ body }, context.call);
      context.note('The terminal was refused.');
      return context.print({ ...terminal, state: 'denied' }, facts);
    }
    context.note(facts.trimEnd());
    await context.confirm(
      options.yes,
      'Does your other terminal show this code, and did you run "tonerow login" there?',
    );
    await api.approveDeviceSignIn({ body }, context.call);
    context.note('The terminal signs in within a few seconds.');
    if (context.globals.json) await context.print({ ...terminal, state: 'approved' }, '');
  },
});
