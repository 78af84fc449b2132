import type { Noun } from '#define/command.ts';
import { dealsDecline } from './decline.ts';
import { dealsExport } from './export.ts';
import { dealsList } from './list.ts';
import { dealsProduct } from './product.ts';
import { dealsProducts } from './products.ts';
import { dealsRequest } from './request.ts';
import { dealsRequests } from './requests.ts';
import { dealsSeen } from './seen.ts';
import { dealsSerials } from './serials.ts';
import { dealsWithdraw } from './withdraw.ts';

export const deals: Noun = {
  name: 'deals',
  about: 'Products and deals that a reseller can sell, and requests for deals',
  commands: [
    dealsList,
    dealsProducts,
    dealsProduct,
    dealsSerials,
    dealsExport,
    dealsRequest,
    dealsRequests,
    dealsWithdraw,
    dealsDecline,
    dealsSeen,
  ],
};
