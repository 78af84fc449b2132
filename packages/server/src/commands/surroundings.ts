import type { Env } from '../config.ts';

/** The surroundings of a command: a process, or a test. */
export interface Surroundings {
  env: Env;
  out(text: string): void;
  err(text: string): void;
}

/** A command with its arguments read. */
export interface Call extends Surroundings {
  action: string | undefined;
  /** The arguments after the action. */
  subjects: string[];
  options: Options;
}

export interface Options {
  month?: string | undefined;
  'dry-run'?: boolean | undefined;
  since?: string | undefined;
  by?: string | undefined;
  yes?: boolean | undefined;
  coordinator?: string | undefined;
  to?: string[] | undefined;
  keep?: string | undefined;
  schedule?: string | undefined;
  json?: boolean | undefined;
  shards?: string | undefined;
  'passphrase-file'?: string | undefined;
}

/** Resolves with the exit code; null: it has no such arguments. */
export type Command = (call: Call) => Promise<number | null>;

/** The exit code of a command that was misused, as in sysexits.h. */
export const USAGE_ERROR = 64;
