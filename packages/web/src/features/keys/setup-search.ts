import { text } from '#lib/navigation/search-params.ts';

/**
 * The parameters that the pages with code for plugins keep in their address: a product, a plugin key, and a file of the
 * code.
 */
export const setupSearch = { product: text, key: text, file: text };
