import { isCi } from '#input/is-ci.ts';
import type { Io } from '#io.ts';

/** Values of `--color`. `auto` follows the environment, and whether the stream is a terminal. */
export type ColorChoice = 'auto' | 'always' | 'never';

export const COLOR_CHOICES: readonly ColorChoice[] = ['auto', 'always', 'never'];

const isSet = (value: string | undefined) => value !== undefined && value !== '' && value !== '0';

/** Whether this stream gets colors: not a pipe, and not with NO_COLOR. */
export function hasColors(env: Io['env'], stream: { isTTY?: boolean }, choice: ColorChoice): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env.NO_COLOR) return false;
  if (isSet(env.FORCE_COLOR) || isSet(env.CLICOLOR_FORCE)) return true;
  return stream.isTTY === true && env.TERM !== 'dumb' && !isCi(env);
}
