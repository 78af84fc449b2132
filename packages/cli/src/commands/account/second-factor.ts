import { readFile } from 'node:fs/promises';
import { text } from '#define/option-types.ts';
import type { Context } from '#run/context.ts';

export const PASSWORD = {
  passwordFile: text('<file>', 'read the password from a file'),
};

export async function passwordOf(context: Context, options: { passwordFile: string | undefined }): Promise<string> {
  if (options.passwordFile) return (await readFile(options.passwordFile, 'utf8')).trim();
  return context.ask({ text: 'Password: ', instead: '--password-file', hidden: true });
}

export async function codeOf(context: Context, given?: string): Promise<string> {
  const text = 'Code from your authenticator app: ';
  return given ?? (await context.ask({ text, instead: '--code' }));
}
