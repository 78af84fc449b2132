import type { LicenseAnswer } from '@tonerow/sdk';
import { orFrom, required, text, texts } from '#define/option-types.ts';
import { findProductId } from '#input/find-by-name.ts';
import { list } from '#output/table.ts';
import type { Context } from '#run/context.ts';

export const KEY = {
  keyFile: orFrom('TONEROW_PLUGIN_KEY', text('<file>', 'the plugin key')),
};

export const PRODUCT = {
  product: text('<product>', 'the plugin’s product: id or name'),
};

export const MACHINE = {
  machine: required(text('<id>', 'the machine’s id'), 'Specify the machine: --machine ID.'),
};

export const OLD_MACHINES = {
  oldMachine: texts('<id>', 'another id of the same machine, whose seat is moved'),
};

/** Options for the calls of a plugin that has a seat. */
export const SEATED = {
  ...MACHINE,
  ...PRODUCT,
  tokenFile: text('<file>', 'the validation token'),
  ...KEY,
};

export async function seatedBody(
  context: Context,
  license_key: string,
  { machine, product, tokenFile }: { machine: string; product: string | undefined; tokenFile: string | undefined },
) {
  const validation_token = tokenFile
    ? await context.secret({ file: tokenFile, what: 'the validation token', how: '--token-file' })
    : undefined;
  const product_id = product ? await findProductId(context, product) : undefined;
  return { license_key, machine_id: machine, product_id, validation_token };
}

/** A client with a plugin key. */
export async function asPlugin(context: Context, options: { keyFile: string | undefined }) {
  const key = await context.secret({
    env: 'TONEROW_PLUGIN_KEY',
    file: options.keyFile,
    what: 'the plugin key',
    how: '--key-file or TONEROW_PLUGIN_KEY',
  });
  return context.client(key);
}

export function card(answer: LicenseAnswer): string {
  return list([
    ['Status', answer.status],
    ['Seats', answer.max_activations],
    ['Remaining', answer.remaining],
    ['Validation token', answer.validation_token],
  ]);
}
