import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { EXAMPLES, has, start } from './support.ts';

const HERE = path.resolve('test/examples');
const strict = ['-std=c++17', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Werror'];
const modules = ['core', 'cryptography', 'data_structures', 'events', 'product_unlocking'];

export const compiler = ['g++', 'clang++'].find(has);
export const NO_COMPILER = 'there is neither g++ nor clang++';

/** What to add to the name of a test that cannot run here. */
export const unless = (able: boolean, reason: string) => (able ? '' : ` (skipped: ${reason})`);

/** Compiles without a warning; what went wrong otherwise. */
export async function compile(args: string[]): Promise<string> {
  const { code, err } = await start(compiler as string, [...strict, ...args]);
  return code === 0 ? '' : err || `the compiler ended with ${code}`;
}

/** Whether a library is here to compile and to link with. */
export async function hasLibrary(header: string, link: string): Promise<boolean> {
  const input = `#include <${header}>\nint main() {}\n`;
  return (
    compiler !== undefined && (await start(compiler, ['-x', 'c++', '-', '-o', '/dev/null', link], { input })).code === 0
  );
}

/** JUCE's headers, by the names that plugins include. */
export async function writeJuce(folder: string): Promise<void> {
  for (const name of modules) {
    await mkdir(path.join(folder, `juce_${name}`));
    await writeFile(path.join(folder, `juce_${name}/juce_${name}.h`), `#include "${HERE}/juce-stub.h"\n`);
  }
}

/** Builds `license-driver.cpp` around TonerowLicense, with OpenSSL; answers the program. */
export async function buildPlugin(folder: string): Promise<string> {
  await writeJuce(folder);
  const program = path.join(folder, 'plugin');
  const files = ['TonerowToken.cpp', 'TonerowLicense.cpp'].map((name) => `${EXAMPLES}/juce/${name}`);
  const includes = [`-I${folder}`, `-I${EXAMPLES}/juce`];
  const sources = [...files, `${HERE}/license-driver.cpp`];
  const problem = await compile([
    '-pthread',
    '-DTONEROW_USE_OPENSSL=1',
    ...includes,
    ...sources,
    '-lcrypto',
    '-o',
    program,
  ]);
  if (problem) throw new Error(problem);
  return program;
}

/** A running `license-driver.cpp`. */
export class Driver {
  readonly #child;
  readonly #lines;

  constructor(program: string, args: string[]) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async say(line: string) {
    this.#child.stdin.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the plugin ended at: ${line}`);
    const [state, requests, checkBefore, message] = (value as string).split('\t');
    return { state, requests: Number(requests), checkBefore: Number(checkBefore), message };
  }

  async stop() {
    const ended = new Promise<number | null>((resolve) => this.#child.once('close', resolve));
    this.#child.stdin.end();
    return ended;
  }
}
