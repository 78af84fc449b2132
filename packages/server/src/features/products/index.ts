import type { Base } from '../../platform/feature.ts';
import { Product } from './products.entity.ts';
import { productRoutes } from './products.routes.ts';
import { type OwnFiles, type ProductSerials, Products, type ShippedPlugins } from './products.service.ts';

export { stockPace } from './overview/stock-pace.ts';
export { PRICE, type Prices, priceAt } from './price.ts';
export { Product } from './products.entity.ts';
export { findNamedProduct } from './products.queries.ts';
export { Price } from './products.schemas.ts';
export type { ProductSerials } from './products.service.ts';

interface Needs {
  serials: ProductSerials;
  files: OwnFiles;
  productKeys: ShippedPlugins;
}

export const products = {
  entities: [Product],

  create(base: Base, { serials, files, productKeys }: Needs) {
    const products = new Products({ ...base, productSerials: serials, ownFiles: files, shippedPlugins: productKeys });
    return { api: { products }, routes: [productRoutes(products)] };
  },
};
