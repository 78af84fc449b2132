import type { Context } from '../../context.ts';
import { text } from '../../option-types.ts';

const VARIABLE = 'TONEROW_WEBHOOK_SECRET';

export const SECRET = {
  secretFile: text('<file>', `the webhook’s secret (whsec_…), or its public key (whpk_…); else from ${VARIABLE}`),
};

export function webhookSecret(context: Context, options: { secretFile: string | undefined }): Promise<string> {
  return context.secret({
    env: VARIABLE,
    file: options.secretFile,
    what: 'the webhook’s secret or public key',
    how: `--secret-file or ${VARIABLE}`,
  });
}

export const isSecretGiven = (context: Context, options: { secretFile: string | undefined }): boolean =>
  Boolean(options.secretFile ?? context.io.env[VARIABLE]);
