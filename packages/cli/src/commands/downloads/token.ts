import type { ProductCard } from '@tonerow/sdk';
import { orFrom, text } from '#define/option-types.ts';
import type { Context } from '#run/context.ts';

export const TOKEN = {
  tokenFile: orFrom('TONEROW_DOWNLOAD_TOKEN', text('<file>', 'the download token')),
};

export function downloadToken(context: Context, options: { tokenFile?: string }): Promise<string> {
  return context.secret({
    env: 'TONEROW_DOWNLOAD_TOKEN',
    file: options.tokenFile,
    what: 'the download token',
    how: '--token-file or TONEROW_DOWNLOAD_TOKEN',
  });
}

export async function opened(context: Context, options: { tokenFile?: string }): Promise<ProductCard[]> {
  const download_token = await downloadToken(context, options);
  const api = await context.client();
  return (await api.listRedeemedProducts({ body: { download_token } }, context.call)).products;
}
