import { orFrom, text } from '#define/option-types.ts';
import type { Context } from '#run/context.ts';

const VARIABLE = 'TONEROW_WEBHOOK_SECRET';

interface Given {
  secretFile: string | undefined;
}

/** @param what it is, and what it is for. */
export const secretFile = (what: string) => orFrom(VARIABLE, text('<file>', what));

export function webhookSecret(context: Context, options: Given): Promise<string> {
  return context.secret({
    env: VARIABLE,
    file: options.secretFile,
    what: 'the webhook’s secret or public key',
    how: `--secret-file or ${VARIABLE}`,
  });
}

/** Undefined where there is none. */
export async function webhookSecretIfGiven(context: Context, options: Given): Promise<string | undefined> {
  return options.secretFile || context.io.env[VARIABLE] ? webhookSecret(context, options) : undefined;
}
