import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CancelledError, UsageError } from '#exit.ts';
import type { Io } from '#io.ts';
import { isCi } from './is-ci.ts';

/** True when a person is at the terminal and prompts are not switched off. */
export const canAsk = (io: Io, input: boolean): boolean => whyNot(io, input) === null;

function whyNot(io: Io, input: boolean): string | null {
  if (!input) return 'Prompts are off (--no-input)';
  if (io.env.TONEROW_PROMPT_DISABLED) return 'Prompts are off (TONEROW_PROMPT_DISABLED)';
  if (isCi(io.env)) return 'Nothing is asked where CI is set';
  return io.stdin.isTTY && io.stderr.isTTY ? null : 'No terminal to prompt on';
}

export interface Question {
  text: string;
  /** The option to pass where nobody can be asked, such as `--yes`. */
  instead: string;
  hidden?: boolean;
}

/** @throws {UsageError} that names what to pass instead, where nobody can be asked, and why. */
export function mustBeAble(io: Io, input: boolean, instead: string): void {
  const why = whyNot(io, input);
  if (why !== null) throw new UsageError(`${why}: pass ${instead}.`);
}

/**
 * Prompts on the terminal.
 * @throws {UsageError} that names what to pass instead, where nobody can be asked, and why.
 */
export async function ask(io: Io, input: boolean, question: Question): Promise<string> {
  mustBeAble(io, input, question.instead);
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
        // the next message starts on a new line
        if (!question.hidden) io.stderr.write('\n');
        cancel();
      });
      lines.once('close', cancel);
      lines.question(question.text, resolve);
      muted = question.hidden === true;
    });
  } finally {
    // its listeners must go, or it would keep echoing what is typed at the next prompt
    lines.close();
    if (question.hidden) io.stderr.write('\n');
  }
}
