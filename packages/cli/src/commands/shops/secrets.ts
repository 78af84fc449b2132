import { orFrom, text } from '#define/option-types.ts';
import type { Context } from '#run/context.ts';

const SECRET = 'TONEROW_SHOP_SECRET';
const KEY = 'TONEROW_SHOP_KEY';
const LICENSE_KEY = 'TONEROW_SHOP_LICENSE_KEY';

export const secretFile = (what: string) => orFrom(SECRET, text('<file>', what));
export const keyFile = (what: string) => orFrom(KEY, text('<file>', what));
export const licenseKeyFile = (what: string) => orFrom(LICENSE_KEY, text('<file>', what));

const given =
  (env: string, what: string, how: string) =>
  async (context: Context, file: string | undefined): Promise<string | undefined> =>
    file || context.io.env[env] ? context.secret({ env, file, what, how: `${how} or ${env}` }) : undefined;

/** Undefined where there is none: never from the command line, which other users of the machine can read. */
export const secretIfGiven = given(SECRET, 'the secret that the shop shows', '--secret-file');
export const keyIfGiven = given(KEY, 'the API key', '--key-file');
export const licenseKeyIfGiven = given(LICENSE_KEY, 'the private key of the license call', '--license-key-file');
