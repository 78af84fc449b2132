import { defineCommand } from '#define/define-command.ts';
import { list } from '#output/table.ts';

export const whoami = defineCommand({
  path: 'whoami',
  summary: 'Show the signed-in account and credential',
  operations: ['getMe'],
  fields: ['source', 'url'],
  examples: ['tonerow whoami', 'tonerow whoami --fields email,role'],
  async run({ context }) {
    const { token, source } = await context.credential();
    const me = await (await context.client(token)).getMe({}, context.call);
    await context.print(
      { ...me, source, url: await context.url() },
      list([
        ['Email', me.email_verified ? me.email : `${me.email} (not verified)`],
        ['Name', `${me.first_name} ${me.last_name}`],
        ['Role', me.is_admin ? `${me.role}, admin` : me.role],
        ['Developer id', me.role === 'developer' ? me.id : null],
        ['Server', await context.url()],
        ['Credential', `${me.credential.type === 'session' ? 'session' : 'access token'} from ${source}`],
        ['Scopes', me.credential.scopes?.join(' ') ?? 'everything'],
      ]),
    );
  },
});
