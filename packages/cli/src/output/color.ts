import type { Io } from '../io.ts';

/** When to color: `--color` says, then the environment, then whether anybody sees it. */
export type ColorChoice = 'auto' | 'always' | 'never';

export const COLOR_CHOICES: readonly ColorChoice[] = ['auto', 'always', 'never'];

const isSet = (value: string | undefined) => value !== undefined && value !== '' && value !== '0';

/** Whether this stream gets colors: a pipe gets none, and neither does who set NO_COLOR. */
export function hasColors(env: Io['env'], stream: { isTTY?: boolean }, choice: ColorChoice): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env.NO_COLOR) return false;
  if (isSet(env.FORCE_COLOR) || isSet(env.CLICOLOR_FORCE)) return true;
  return stream.isTTY === true && env.TERM !== 'dumb' && !env.CI;
}
