import type { Context } from '#run/context.ts';

/** Added to the help of a token, because others on the machine can read a command line. */
export const OR_STDIN = '; "-" reads it from standard input';

/** A token from a link or a plugin, as it was given, or from standard input for `-`. */
export function givenToken(context: Context, text: string): Promise<string>;
export function givenToken(context: Context, text: string | undefined): Promise<string | undefined>;
export async function givenToken(context: Context, text: string | undefined): Promise<string | undefined> {
  return text === '-' ? context.secret({ stdin: true, what: 'the token', how: '"-"' }) : text;
}
