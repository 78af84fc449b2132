import { defineCommand } from '#define/define-command.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';

export const invitesFollow = defineCommand({
  path: 'invites follow',
  summary: 'Open an invitation with the token from its email, which also verifies your email address',
  operations: ['followInvite'],
  args: [['<token>', `from the link in the email, after token=${OR_STDIN}`]],
  examples: ['tonerow invites follow eyJhbGciOiJIUzI1NiJ9.eyJpbnZpdGUiOiIwMTkifQ.c2ln'],
  async run({ context, args: [token] }) {
    const invite = await (await context.api()).followInvite(
      { body: { token: await givenToken(context, token) } },
      context.call,
    );
    const { id, company_name, email, commission_rate, state } = invite;
    await context.print(invite, `${id}  ${company_name} (${email}), commission ${commission_rate}%: ${state}\n`);
  },
});
