import { defineCommand } from '#define/define-command.ts';
import { table } from '#output/table.ts';

export const accountSessions = defineCommand({
  path: 'account sessions',
  summary: 'List the sessions of the account',
  operations: ['listSessions'],
  examples: ['tonerow account sessions'],
  async run({ context }) {
    const sessions = await (await context.api()).listSessions({}, context.call);
    const rows = sessions.map((each) => [
      each.id,
      each.machine ? `${each.machine} (${each.device})` : each.device,
      each.ip,
      each.last_seen_at,
      each.isCurrent ? 'this one' : '',
    ]);
    await context.print(sessions, table(['ID', 'DEVICE', 'IP', 'LAST SEEN', ''], rows));
  },
});
