import { execFile } from 'node:child_process';
import { Failure } from '#exit.ts';

/** The settings that are built into a plugin. */
export interface About {
  server: string;
  plugin_key: string;
  product_id: string;
  product_name: string;
  developer_id: string;
  developer: string;
  version: string;
  keys: { kid: string; x: string }[];
  namespace: string;
  folder: string;
  folder_trouble: string;
  clock: number;
  machine_ids: number;
  signatures: number;
  network: number;
}

export interface Outcome {
  license: {
    state: string;
    notice: string;
    status: string;
    message: string;
    unlocked: number;
    finishing: number;
    days: number;
    trouble: string;
    trouble_path: string;
  };
  /** Whether it was unlocked before anything else could happen. */
  at_once: number;
  open_ms: number;
  close_ms: number;
}

/** Longer than any of its requests may take. */
const MOST_MS = 50_000;

/** The program of a build that is its license without a plugin. */
export class LicenseCheck {
  readonly #program: string;
  readonly #env: Record<string, string | undefined>;
  readonly #signal: AbortSignal;

  constructor(program: string, env: Record<string, string | undefined>, signal: AbortSignal) {
    this.#program = program;
    this.#env = env;
    this.#signal = signal;
  }

  about(): Promise<About> {
    return this.#json(['about']) as Promise<About>;
  }

  run(...words: string[]): Promise<Outcome> {
    return this.#json(words) as Promise<Outcome>;
  }

  async #json(words: string[]): Promise<unknown> {
    const out = await new Promise<string>((resolve, reject) => {
      const options = { env: this.#env as NodeJS.ProcessEnv, signal: this.#signal, timeout: MOST_MS };
      execFile(this.#program, words, options, (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        if (this.#signal.aborted) return reject(this.#signal.reason);
        const why = error.killed ? `it did not end within ${MOST_MS / 1000} s` : stderr.trim() || error.message;
        reject(new Failure(`${this.#program} ${words[0]}: ${why}`, 'build_failed'));
      });
    });
    try {
      return JSON.parse(out);
    } catch {
      throw new Failure(`${this.#program} is not the license-check of "tonerow plugin new".`, 'build_failed');
    }
  }
}
