import { isInstalled } from '@tonerow/test-support/command.ts';
import { start } from './support.ts';

export const strict = ['-std=c++17', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Werror'];

export const compiler = ['g++', 'clang++'].find((name) => isInstalled(name));

/** Whether a test can run here. When not, prints why, in one line. */
export function canRun(what: string, missing: string): boolean {
  if (missing) process.stderr.write(`skipped: ${what}: ${missing}\n`);
  return missing === '';
}

/** Whether a library is here to compile and to link with. */
export async function hasLibrary(header: string, link: string): Promise<boolean> {
  const input = `#include <${header}>\nint main() {}\n`;
  return (
    compiler !== undefined && (await start(compiler, ['-x', 'c++', '-', '-o', '/dev/null', link], { input })).code === 0
  );
}
