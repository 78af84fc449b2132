import { exportProductsSort } from '@tonerow/sdk/values';
import { choice, text } from '#define/option-types.ts';
import { given } from '#input/given-values.ts';

/** Filters of products, which combine. `-` before a value leaves it out. */
export const FILTER = {
  search: text('<text>', 'part of the name'),
  status: text('<states>', 'submitted, draft; "-" before one leaves it out'),
  stock: text('<stocks>', 'empty (no serial is available), low or enough'),
  files: text('<with>', 'with or without'),
  price: text('<kinds>', 'priced, sale, free or unset'),
};

export const SORT = {
  sort: choice(
    '<column>',
    'created_at, name, price, available, generated, redeemed or revenue; "-" before it for the largest first',
    { values: exportProductsSort },
  ),
};

interface Options {
  search: string | undefined;
  status: string | undefined;
  stock: string | undefined;
  files: string | undefined;
  price: string | undefined;
}

/** As the server takes it. */
export const productFilter = ({ search, status, stock, files, price }: Options) =>
  given({ search, status, stock, files, price });
