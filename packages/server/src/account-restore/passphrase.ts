import { readFile } from 'node:fs/promises';
import { StartupError } from '#platform/errors.ts';

/** The first line of a file. @throws {StartupError} */
export async function passphraseIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new StartupError(`The passphrase cannot be read from ${file}.`, { cause: error });
  });
  const passphrase = text.trim();
  if (passphrase === '' || passphrase.includes('\n')) throw new StartupError(`${file} has to hold one line.`);
  return passphrase;
}
