import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { Product } from './products.entity.ts';
import { VersionEmails } from './versions/version-emails.entity.ts';
import { FileVersion } from './versions/versions.entity.ts';

const entities = [Product, FileVersion, VersionEmails] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('products', entities);
export type ProductsDb = ReturnType<typeof tables.of>;
export type ProductsHandle = ReturnType<typeof tables.in>;
