import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { answering } from '@tonerow/test-support/command.ts';
import { execa } from 'execa';

/** JUCE derives the unique id of a Linux computer from these two. */
const CAT = `#!/bin/sh
case "$1" in /sys/class/dmi/*) printf '%s' "$TEST_MACHINE" ;; *) exec /bin/cat "$@" ;; esac
`;
const LSCPU = '#!/bin/sh\n';

/** A computer as JUCE sees it: its unique id, and its home, whose inode is the id that older versions of JUCE take. */
export class JuceMachine {
  readonly home: string;
  readonly #bin: string;
  /** The board's number; a new one is a new computer. */
  board: string;
  /** The file with the id of its system; without one, none. */
  machineId = '/nonexistent';

  private constructor(board: string, home: string, bin: string) {
    this.board = board;
    this.home = home;
    this.#bin = bin;
  }

  static async make(folder: string, name: string): Promise<JuceMachine> {
    const bin = path.join(folder, 'bin');
    const home = path.join(folder, name);
    await mkdir(bin, { recursive: true });
    await mkdir(home, { recursive: true });
    for (const [file, text] of Object.entries({ cat: CAT, lscpu: LSCPU })) {
      await writeFile(path.join(bin, file), text);
      await chmod(path.join(bin, file), 0o755);
    }
    return new JuceMachine(name, home, bin);
  }

  environment(): Record<string, string> {
    const { home: HOME, board: TEST_MACHINE, machineId: TEST_MACHINE_ID } = this;
    return { HOME, TEST_MACHINE, TEST_MACHINE_ID, PATH: `${this.#bin}:${process.env.PATH}` };
  }
}

/** A running program of this folder: one line in, one line out. */
export class Driver {
  readonly #child;
  readonly #lines;
  #complaints = '';

  constructor(program: string, machine: JuceMachine, environment: Record<string, string>) {
    this.#child = execa(program, {
      ...answering,
      env: { ...environment, ...machine.environment() },
      extendEnv: false,
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#child.stderr.on('data', (text) => {
      this.#complaints += text;
    });
  }

  /** The fields of what the program answers. */
  async say(line: string): Promise<string[]> {
    this.#child.stdin.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the program ended at: ${line}\n${this.#complaints}`);
    return (value as string).split('\t');
  }

  /** JUCE's own complaints at exit: assertions and leaks. */
  async stop(): Promise<{ code: number | null; complaints: string }> {
    this.#child.stdin.end();
    const { exitCode } = await this.#child;
    return { code: exitCode ?? null, complaints: this.#complaints };
  }
}
