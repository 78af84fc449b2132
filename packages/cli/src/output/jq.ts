import { Failure, UsageError } from '#exit.ts';

const COMPILE_ERROR = 3;

/**
 * Checks the jq program before anything is done whose result could not be shown.
 * @throws {UsageError} with jq's own message.
 */
export async function mustCompile(program: string): Promise<void> {
  const { exitCode, stderr } = await run(null, program);
  if (exitCode === COMPILE_ERROR) throw new UsageError(`--jq is not a valid jq program: ${wordsOf(stderr)}`);
}

/** Runs a jq program on a value: one result per line, strings without quotes. */
export async function filtered(value: unknown, program: string): Promise<string> {
  const { stdout, stderr, exitCode } = await run(value, program);
  if (exitCode !== 0) throw new Failure(`--jq failed: ${wordsOf(stderr)}`);
  return stdout === '' ? '' : `${stdout}\n`;
}

async function run(value: unknown, program: string) {
  // loaded only now, because it is large
  const { raw } = await import('jq-wasm');
  return raw(value as object, program, ['--raw-output']);
}

function wordsOf(stderr: string): string {
  return (
    stderr
      .trim()
      .replace(/^jq: (error: )?/, '')
      .split('\n')[0]
      ?.replace(/:$/, '') ?? ''
  );
}
