import { CSV, PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { printFieldsAsCsv } from '#output/files/csv.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';

const COLUMNS = ['id', 'company_name', 'email', 'commission_rate', 'message', 'created_at', 'expires_at'] as const;

export const invitesList = defineCommand({
  path: 'invites list',
  summary: 'List the invitations that are waiting for your answer',
  operations: ['listResellerInvites', 'listDeveloperInvites', 'getMe'],
  options: { ...PAGE, ...CSV },
  examples: ['tonerow invites list', 'tonerow invites list --csv'],
  async run({ context, options }) {
    const { paginate, getMe } = await context.api();
    const me = await getMe({}, context.call);
    const invites = me.is_reseller
      ? paginate.listResellerInvites({}, context.call)
      : paginate.listDeveloperInvites({}, context.call);
    if (options.csv) return printFieldsAsCsv(context, COLUMNS, invites);
    await printRows(context, invites, options, {
      head: ['ID', 'FROM', 'EMAIL', 'COMMISSION', 'EXPIRES', 'MESSAGE'],
      cells: (each) => [
        each.id,
        each.company_name,
        each.email,
        `${each.commission_rate}%`,
        day(each.expires_at),
        each.message,
      ],
      none: 'No pending invites\n',
    });
    if (!me.email_verified) context.note('Verify your email address to see your invitations.');
  },
});
