import { UsageError } from '#exit.ts';

/** @throws {UsageError} that names the flag, for anything else. */
export function wholeNumber(text: string, flag: string): number {
  // an empty variable in a script is not zero
  if (!/^-?\d+$/.test(text)) throw new UsageError(`${flag} takes a whole number, not "${text}".`);
  return Number(text);
}
