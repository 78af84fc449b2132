import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { runCommand } from './cli.ts';
import { answering, type Ended } from './command.ts';

export const BIN = path.resolve('packages/cli/bin/tonerow.cjs');

/**
 * A person's terminal: a home folder of its own, and the command in this process. There is no folder to be in: a test names files
 * with `file`.
 */
export async function openTerminal(settings: () => Record<string, string>) {
  const home = await mkdtemp(path.join(tmpdir(), 'tonerow-home-'));
  const environment = () => ({
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: home,
    ...settings(),
  });
  const start = (args: string[]) => {
    const options = { ...answering, env: environment(), extendEnv: false, cwd: home, input: '' };
    const child = execa(process.execPath, [BIN, ...args], options);
    let printed = '';
    child.all.on('data', (chunk) => {
      printed += chunk;
    });
    const ended = child.then(
      ({ exitCode, stdout, stderr, all }): Ended => ({ code: exitCode ?? null, out: stdout, err: stderr, output: all }),
    );
    return { child, ended, printed: () => printed };
  };
  const tonerow = (...args: string[]) => runCommand(args, { env: environment() });
  return {
    home,
    environment,
    /** The built command in a process of its own, to be killed. */
    start,
    tonerow,
    /** One that runs until it is stopped, as by Ctrl-C. */
    running: (...args: string[]) => {
      const interrupt = new AbortController();
      let printed = '';
      const onOutput = (text: string) => {
        printed += text;
      };
      const ended = runCommand(args, { env: environment(), signal: interrupt.signal, onOutput });
      const stop = () => {
        interrupt.abort(new DOMException('Canceled.', 'AbortError'));
        return ended;
      };
      return { ended, stop, printed: () => printed };
    },
    /** Runs a command with something on standard input, such as a password. */
    piped: (stdin: string, ...args: string[]) => runCommand(args, { env: environment(), stdin }),
    file: (name: string) => path.join(home, name),
    /** The answer as JSON. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    json: async (...args: string[]): Promise<any> => {
      const answer = await tonerow(...args, '--json');
      if (answer.code !== 0) throw new Error(`${args.join(' ')}: ${answer.err}`);
      return JSON.parse(answer.out);
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}
