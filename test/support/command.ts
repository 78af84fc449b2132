import path from 'node:path';
import { execa, execaSync, type Options } from 'execa';

/** How a command ended, and all that it wrote. */
export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  out: string;
  err: string;
  /** Both, in the order in which they came. */
  output: string;
}

/** Options of every process that tests start: its exit is a result, never an exception. */
export const answering = { reject: false, stripFinalNewline: false, all: true } as const;

/**
 * Runs a command to its end.
 * @throws {Error} when it cannot be started.
 */
export async function run(command: string, args: readonly string[], options: Options = {}): Promise<Ended> {
  const { exitCode, stdout, stderr, all, code } = await execa(command, args, { ...options, ...answering });
  if (code === 'ENOENT') throw new Error(`${command} cannot be started`);
  return { code: exitCode ?? null, out: String(stdout), err: String(stderr), output: String(all) };
}

/** Runs one of the project's tools with the Node that runs the tests. */
export async function tool(script: string, ...args: string[]): Promise<Ended> {
  return run(process.execPath, [path.resolve(script), ...args], { env: { NO_COLOR: '1', FORCE_COLOR: '0' } });
}

/** Whether a command is installed, judged by whether it prints its version. */
export function isInstalled(command: string, ...args: string[]): boolean {
  const asked = args.length > 0 ? args : ['--version'];
  return execaSync(command, asked, { reject: false, stdio: 'ignore' }).exitCode === 0;
}
