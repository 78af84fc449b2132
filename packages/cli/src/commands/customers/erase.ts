import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { customerOf, WHO } from './find.ts';

export const customersErase = defineCommand({
  path: 'customers erase',
  summary: 'Erase a customer’s personal data; serials and statistics are kept',
  operations: ['eraseCustomer'],
  args: WHO,
  options: {
    ...DRY_RUN,
    ...YES,
  },
  examples: ['tonerow customers erase nina@example.com --dry-run', 'tonerow customers erase nina@example.com --yes'],
  async run({ context, args: [text], options }) {
    const { api, id } = await customerOf(context, text);
    const erase = (dry_run: boolean) => api.eraseCustomer({ path: { id }, query: { dry_run } }, context.call);
    const would = await erase(true);
    const kept = `serials kept: ${would.serials_kept}`;
    if (options.dryRun) return context.print(would, `The name and email address would be erased; ${kept}.\n`);
    const question = `Erase ${text}? This cannot be undone; ${kept}.`;
    await context.confirm(options.yes, question);
    const done = await erase(false);
    await context.print(done, `${done.message}\n`);
  },
});
