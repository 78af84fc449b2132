import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const BIN = path.resolve('packages/cli/bin/tonerow.cjs');

export interface Told {
  code: number | null;
  out: string;
  err: string;
}

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
    const child = spawn(process.execPath, [BIN, ...args], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: home,
    });
    child.stdin.end(stdin ?? '');
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const ended = new Promise<Told>((resolve) => {
      child.once('close', (code) => resolve({ code, out, err }));
    });
    return { child, ended, said: () => out + err };
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
