import { flag } from '#define/option-types.ts';
import type { Context } from '#run/context.ts';

export const passwordOptions = {
  passwordStdin: flag('read the password from standard input'),
};

export async function passwordOf(
  context: Context,
  options: { passwordStdin?: boolean },
  text = 'Password: ',
): Promise<string> {
  if (options.passwordStdin) {
    return context.secret({ stdin: true, what: 'the password', how: '--password-stdin' });
  }
  return context.ask({ text, instead: '--password-stdin', hidden: true });
}
