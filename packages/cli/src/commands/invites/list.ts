import { CSV } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { printCsv } from '../../output/csv.ts';
import { day, table } from '../../output/table.ts';

export const invitesList = defineCommand({
  path: 'invites list',
  summary: 'List the invitations that are waiting for your answer',
  operations: ['listResellerInvites', 'listDeveloperInvites', 'getMe'],
  options: CSV,
  examples: ['tonerow invites list', 'tonerow invites list --csv'],
  async run({ context, options: { csv } }) {
    const api = await context.api();
    const me = await api.getMe({}, context.call);
    const invites = me.is_reseller
      ? await api.listResellerInvites({}, context.call)
      : await api.listDeveloperInvites({}, context.call);
    const rows = invites.map((each) => [
      each.id,
      each.company_name,
      each.email,
      `${each.commission_rate}%`,
      day(each.expires_at),
      each.message,
    ]);
    const columns = ['id', 'company_name', 'email', 'commission_rate', 'message', 'created_at', 'expires_at'] as const;
    if (csv)
      return printCsv(
        context,
        [...columns],
        invites.map((each) => columns.map((name) => each[name])),
      );
    const head = ['ID', 'FROM', 'EMAIL', 'COMMISSION', 'EXPIRES', 'MESSAGE'];
    await context.print(invites, invites.length === 0 ? 'No pending invites\n' : table(head, rows));
    if (!me.email_verified) context.note('Verify your email address to see your invitations.');
  },
});
