import type { Database } from '../../../platform/db/database.ts';
import type { KeyFiles } from '../key-files/keyfile.service.ts';
import { hiseTime, isoSecond } from '../key-files/keyfile-format.ts';
import type { ProductKeys, ProductPair } from '../key-files/product-keys.service.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { Credential, Licensing } from './licensing.service.ts';

interface Dependencies {
  db: Database;
  licensing: Licensing;
  keyFiles: KeyFiles;
  productKeys: ProductKeys;
}

/** The server's time, for plugins that do not trust their machine's. */
export class ServerTime {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * With a product, signed with its RSA pair too: HISE opens an expiring key file only by such a time.
   * @throws {LicenseRefusal} unauthorized, not_found
   */
  async now(credential: Credential | null, productId?: string) {
    const answer = await this.#deps.licensing.time(credential);
    const iso = isoSecond(answer.time);
    if (productId === undefined) return { ...answer, iso };
    return { ...answer, iso, hise: hiseTime(answer.time, await this.#pairOf(credential, productId)) };
  }

  async #pairOf(credential: Credential | null, productId: string): Promise<ProductPair> {
    const { db, keyFiles, productKeys } = this.#deps;
    const { developer_id } = await keyFiles.developerOf(credential);
    const own = await db.query('select 1 from products where id = $1 and developer_id = $2 and deleted_at is null', [
      productId,
      developer_id,
    ]);
    if (own.length === 0) throw new LicenseRefusal('not_found', 'Product not found.');
    // made here it would sign what no plugin can read: they carry the public key from before
    const pair = await productKeys.find(developer_id, productId);
    if (!pair) throw new LicenseRefusal('not_found', 'This product has no RSA pair.');
    return pair;
  }
}
