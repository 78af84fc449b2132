import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Ended, run } from '@tonerow/test-support/command.ts';

export const EXAMPLES = path.resolve('examples');
/** The script and the form of a HISE plugin. */
export const HISE = path.resolve('packages/plugin/hise');

/** Runs a command with this environment only. */
export async function start(
  command: string,
  args: string[],
  options: { env?: Record<string, string>; input?: string } = {},
): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', ...options.env };
  return run(command, args, { env, extendEnv: false, input: options.input ?? '' });
}

/** Every file of the examples, by its path in them. */
export function exampleFiles(): Map<string, string> {
  const names = readdirSync(EXAMPLES, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(EXAMPLES, file), readFileSync(file, 'utf8')];
    }),
  );
}

/** A file with its placeholders filled in, as the dashboard does it. */
export function filled(name: string, values: Record<string, string>, folder = EXAMPLES): string {
  return readFileSync(path.join(folder, name), 'utf8').replaceAll(
    /\{\{([A-Z_]+)\}\}/g,
    (all, key) => values[key] ?? all,
  );
}
