import { z } from 'zod';

export const DownloadToken = z.string().min(1).max(20_000);

export const ProductsBody = z.strictObject({ download_token: DownloadToken });

export const ProductCard = z
  .object({
    product_name: z.string(),
    image_url: z.string().nullable(),
    serial_code: z.string(),
    revoked: z.boolean().describe('Downloads and licensing are closed, also because the product was withdrawn.'),
    withdrawn: z.boolean().describe('The maker no longer offers the product; the serial itself was not revoked.'),
    download_count: z.int(),
    download_limit: z.int(),
    install_help: z.string().describe('The developer’s own words, as plain text; empty when there are none.'),
    version: z
      .string()
      .nullable()
      .describe('What the developer calls the version of the files; null: they did not name it.'),
    unlock_url: z
      .string()
      .nullable()
      .describe(
        'The file of the product’s unlock for good, once its maker has published one; not for a revoked serial.',
      ),
    files: z.array(
      z.object({
        name: z.string(),
        url: z.string().describe('Counts one download, once within six hours, then redirects to the file.'),
        size: z.int().nullable().describe('In bytes; null for a file elsewhere.'),
        begun: z.boolean().describe('Its download has counted within six hours: following the link counts no more.'),
      }),
    ),
  })
  .meta({ id: 'ProductCard' });
export type ProductCard = z.output<typeof ProductCard>;

export const OpenedProducts = z.object({ products: z.array(ProductCard) }).meta({ id: 'OpenedProducts' });
export const DownloadQuery = z.object({
  token: z.string().min(1).max(4000),
  start: z
    .string()
    .max(10)
    .optional()
    .describe('If set, the request counts as a click even when it looks like a prefetch or a link preview.'),
});
