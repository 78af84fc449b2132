import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { productListRoutes } from './list.routes.ts';
import { ProductLists } from './list.service.ts';
import { overviewRoutes } from './overview/overview.routes.ts';
import { type CarriedKeys, type FileSizes, ProductOverviews, type ProductUse } from './overview/overview.service.ts';
import { productRoutes } from './products.routes.ts';
import { type OwnFiles, type ProductSerials, Products, type ShippedPlugins } from './products.service.ts';
import { tables } from './tables.ts';
import { type OwnerEmails, type Proofs, VersionEmailing, versionEmailsJob } from './versions/version-emails.service.ts';
import { fileVersionRoutes } from './versions/versions.routes.ts';
import { FileVersions } from './versions/versions.service.ts';

export type { OnLoss } from './on-loss.ts';
export { stockPace } from './overview/stock-pace.ts';
export { PRICE, type Prices, priceAt, priceOf } from './price.ts';
export type { StockSql } from './product-filter.ts';
export { Product } from './products.entity.ts';
export { findNamedProduct } from './products.queries.ts';
export { Price } from './products.schemas.ts';
export type { ProductSerials } from './products.service.ts';
export { SEEN_BY_RESELLERS } from './seen-by-resellers.ts';
export { computerOf, fileFor, type Platform, platformOf } from './versions/file-platform.ts';
export { newestVersion } from './versions/versions.queries.ts';

interface Needs {
  serials: ProductSerials;
  files: OwnFiles & FileSizes;
  productKeys: ShippedPlugins;
  productUse: ProductUse;
  pluginKeys: CarriedKeys;
  emails: OwnerEmails;
  downloadProofs: Proofs;
}

export const products = {
  entities: tables.entities,

  create(platform: Base, needs: Needs) {
    const base = { ...platform, db: tables.of(platform.db) };
    const { serials, files, productKeys, productUse, pluginKeys, emails, downloadProofs } = needs;
    const products = new Products({ ...base, productSerials: serials, ownFiles: files, shippedPlugins: productKeys });
    const lists = new ProductLists({ ...base, products, stockSql: serials.stockSql });
    const overviews = new ProductOverviews({
      ...base,
      products,
      productUse,
      fileSizes: files,
      carriedKeys: pluginKeys,
    });
    const emailing = new VersionEmailing({ ...base, ownerEmails: emails, downloadProofs });
    const versions = new FileVersions({ ...base, ownFiles: files, fileSizes: files, emailing });
    return {
      api: { products },
      routes: [
        productListRoutes(lists),
        productRoutes(products),
        overviewRoutes(overviews),
        fileVersionRoutes(versions),
      ],
      jobs: [jobWorker(versionEmailsJob, (batch) => emailing.run(batch))],
      housekeeping: [() => emailing.resume()],
    };
  },
};
