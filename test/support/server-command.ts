import { runServerCommand } from '../../packages/server/src/commands/index.ts';
import type { Ended } from './command.ts';

/** Runs a command of `tonerow-server` in this process, with no settings but these. */
export async function serverCommand(line: readonly string[], env: Record<string, string>): Promise<Ended> {
  const written = { out: '', err: '', output: '' };
  const into = (stream: 'out' | 'err') => (text: string) => {
    written[stream] += text;
    written.output += text;
  };
  const code = await runServerCommand(line, { env, out: into('out'), err: into('err') });
  return { code, ...written };
}
