import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { answering, type Ended } from './command.ts';

export const BIN = path.resolve('packages/cli/bin/tonerow.cjs');

/** A person's terminal: a home folder of its own and the built command. */
export async function openTerminal(settings: () => Record<string, string>) {
  const home = await mkdtemp(path.join(tmpdir(), 'tonerow-home-'));
  const environment = () => ({
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: home,
    ...settings(),
  });
  const start = (args: string[], stdin?: string) => {
    const options = { ...answering, env: environment(), extendEnv: false, cwd: home, input: stdin ?? '' };
    const child = execa(process.execPath, [BIN, ...args], options);
    let said = '';
    child.all.on('data', (chunk) => {
      said += chunk;
    });
    const ended = child.then(
      ({ exitCode, stdout, stderr, all }): Ended => ({ code: exitCode ?? null, out: stdout, err: stderr, output: all }),
    );
    return { child, ended, said: () => said };
  };
  const tonerow = (...args: string[]) => start(args).ended;
  return {
    home,
    environment,
    start,
    tonerow,
    /** With something on standard input, such as a password. */
    piped: (stdin: string, ...args: string[]) => start(args, stdin).ended,
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
