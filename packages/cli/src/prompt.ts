import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CancelledError, UsageError } from './exit.ts';
import type { Io } from './io.ts';

/** True when somebody sits there and wants to be asked. */
export function canAsk(io: Io, input: boolean): boolean {
  return input && io.stdin.isTTY === true && io.stderr.isTTY === true && !io.env.CI && !io.env.TONEROW_PROMPT_DISABLED;
}

interface Question {
  text: string;
  /** What to write instead of being asked. */
  instead: string;
  hidden?: boolean;
}

/**
 * Asks on the terminal. Never without one.
 * @throws {UsageError} naming the flag, where nobody can be asked.
 */
export async function ask(io: Io, input: boolean, question: Question): Promise<string> {
  if (!canAsk(io, input)) throw new UsageError(`No terminal to prompt on: pass ${question.instead}.`);
  let muted = false;
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!muted) io.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: io.stdin, output: echo, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      const cancel = () => reject(new CancelledError());
      lines.once('SIGINT', () => {
        // what is said next begins a line of its own
        if (!question.hidden) io.stderr.write('\n');
        cancel();
      });
      lines.once('close', cancel);
      lines.question(question.text, resolve);
      muted = question.hidden === true;
    });
  } finally {
    // its own listeners must hear of it, or it would go on echoing what is typed at the next question
    lines.close();
    if (question.hidden) io.stderr.write('\n');
  }
}

/** Before something that cannot be taken back. `--yes` answers it. */
export async function confirm(io: Io, options: { yes: boolean; input: boolean }, text: string): Promise<void> {
  if (options.yes) return;
  const answer = await ask(io, options.input, { text: `${text} [y/N] `, instead: '--yes' });
  if (!/^y(es)?$/i.test(answer.trim())) throw new CancelledError();
}
