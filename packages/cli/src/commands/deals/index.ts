import type { Noun } from '../../define-command.ts';
import { dealsExport } from './export.ts';
import { dealsList } from './list.ts';
import { dealsProduct } from './product.ts';
import { dealsProducts } from './products.ts';
import { dealsSerials } from './serials.ts';

export const deals: Noun = {
  name: 'deals',
  about: 'Products and deals that a reseller can sell',
  commands: [dealsList, dealsProducts, dealsProduct, dealsSerials, dealsExport],
};
