import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Ended, run } from '@tonerow/test-support/command.ts';

export const EXAMPLES = path.resolve('examples');

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
export function filled(name: string, values: Record<string, string>): string {
  return readFileSync(path.join(EXAMPLES, name), 'utf8').replaceAll(
    /\{\{([A-Z_]+)\}\}/g,
    (all, key) => values[key] ?? all,
  );
}

interface TokenVectors {
  now: number;
  clock_skew_seconds: number;
  product_id: string;
  machine_id: string;
  jwks: { keys: { kid: string; x: string }[] };
  cases: {
    name: string;
    token: string;
    now?: number;
    machine_id?: string;
    expected:
      | {
          valid: true;
          serial_id: string;
          product_id: string;
          expires_at: number;
          license_ends_at: number | null;
          trial: boolean;
        }
      | { valid: false; reason: string };
  }[];
}

interface AnswerVectors {
  now: number;
  method: string;
  path: string;
  nonce: string;
  jwks: { keys: { kid: string; x: string }[] };
  cases: {
    name: string;
    headers: Record<string, string>;
    body?: string;
    body_hex?: string;
    now?: number;
    method?: string;
    path?: string;
    nonce?: string;
    expected: { valid: true; key_id: string; signed_at: number } | { valid: false; reason: string };
  }[];
}

export function readVectors(): { tokens: TokenVectors; answers: AnswerVectors } {
  const read = (name: string) => JSON.parse(readFileSync(`test/vectors/license-${name}.json`, 'utf8'));
  return { tokens: read('tokens'), answers: read('answers') };
}
