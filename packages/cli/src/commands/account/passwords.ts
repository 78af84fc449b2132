import { UsageError } from '#exit.ts';
import type { Context } from '#run/context.ts';

/** Passwords from standard input, one per line, or from the terminal. */
export async function passwords(
  context: Context,
  options: { passwordStdin?: boolean },
  questions: string[],
): Promise<string[]> {
  if (options.passwordStdin) {
    const lines = (await context.secret({ stdin: true, what: 'the password', how: '--password-stdin' })).split(/\r?\n/);
    if (lines.length < questions.length) throw new UsageError(`Standard input must have ${questions.length} lines.`);
    return lines;
  }
  const answers: string[] = [];
  for (const text of questions) {
    answers.push(await context.ask({ text, instead: '--password-stdin', hidden: true }));
  }
  return answers;
}
