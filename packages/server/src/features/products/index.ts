export { PRICE, type Prices, priceAt } from './price.ts';
export { Product } from './products.entity.ts';
export { findNamedProduct } from './products.queries.ts';
export { productRoutes } from './products.routes.ts';
export { Price } from './products.schemas.ts';
export { type ProductSerials, Products } from './products.service.ts';
