import { UsageError } from './exit.ts';

/** @throws {UsageError} naming the flag, for anything else. */
export function wholeNumber(text: string, flag: string): number {
  // an empty variable of a script is no zero
  if (!/^-?\d+$/.test(text)) throw new UsageError(`${flag} takes a whole number, not "${text}".`);
  return Number(text);
}
