import { createHmac, createSecretKey } from 'node:crypto';
import { sameBytes } from '#platform/secrets/secrets.ts';

type Encoding = 'hex' | 'base64';

/** Whether one of the secrets has signed a text, and one of the signatures is that. Each is compared in the same time. */
export function isSigned(
  text: Buffer | string,
  {
    signatures,
    secrets,
    encoding,
  }: { signatures: readonly string[]; secrets: readonly (Buffer | string)[]; encoding: Encoding },
): boolean {
  let found = false;
  for (const secret of secrets) {
    if (secret.length === 0) continue;
    // Node takes five times as long with bytes as with a key object of them
    const key = typeof secret === 'string' ? secret : createSecretKey(secret);
    const own = createHmac('sha256', key).update(text).digest();
    for (const signature of signatures) if (sameBytes(own, Buffer.from(signature, encoding))) found = true;
  }
  return found;
}

/** One value of a header that may come once. */
export const headerOf = (headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
};
