import { defineCommand } from '#define/define-command.ts';
import { UsageError } from '#exit.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';

/** The token from what was pasted: the whole link or the token alone. */
function tokenIn(text: string): string {
  const token = /[?&]token=([^&\s]+)/.exec(text)?.[1] ?? text.trim();
  if (token === '' || /[\s/]/.test(token)) throw new UsageError('Paste the whole link from the email, or its token.');
  return token;
}

export const verifyEmail = defineCommand({
  path: 'verify-email',
  summary: 'Verify your email address with the link from the email',
  operations: ['verifyEmail'],
  args: [['[link]', `the link, or its token; prompts if omitted${OR_STDIN}`]],
  examples: ['tonerow verify-email "https://licenses.example.com/verify-email?token=…"'],
  async run({ context, args: [given] }) {
    const question = { text: 'Link from the email: ', instead: 'the link as an argument' };
    const token = tokenIn((await givenToken(context, given)) ?? (await context.ask(question)));
    const { message } = await (await context.client()).verifyEmail({ body: { token } }, context.call);
    context.note(message);
  },
});
