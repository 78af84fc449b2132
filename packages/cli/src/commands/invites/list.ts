import { defineCommand } from '../../define-command.ts';
import { day, table } from '../../output/table.ts';

export const invitesList = defineCommand({
  path: 'invites list',
  summary: 'List the invitations that are waiting for your answer',
  operations: ['listResellerInvites', 'listDeveloperInvites', 'getMe'],
  examples: ['tonerow invites list'],
  async run({ context }) {
    const api = await context.api();
    const me = await api.getMe({}, context.call);
    const invites = me.is_reseller
      ? await api.listResellerInvites({}, context.call)
      : await api.listDeveloperInvites({}, context.call);
    const rows = invites.map((each) => [
      each.id,
      each.company_name,
      each.email,
      `${each.commission_rate} %`,
      day(each.expires_at),
      each.message,
    ]);
    const head = ['ID', 'FROM', 'EMAIL', 'COMMISSION', 'EXPIRES', 'MESSAGE'];
    await context.print(invites, invites.length === 0 ? 'No pending invites\n' : table(head, rows));
    if (!me.email_verified) context.note('Verify your email address to see your invitations.');
  },
});
