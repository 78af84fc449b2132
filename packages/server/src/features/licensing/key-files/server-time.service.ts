import type { Clock } from '#platform/clock.ts';
import { isOwnProduct } from '../own-product.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { LicensingDb } from '../tables.ts';
import { hiseTime, isoSecond } from './keyfile-format.ts';
import type { ProductKeys, ProductPair } from './product-keys.service.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  productKeys: ProductKeys;
}

/** The server's time, for plugins that do not trust their machine's. */
export class ServerTime {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The time. With a product, it is also signed with the product's RSA pair: HISE opens an expiring key file only by
   * such a time.
   * @throws {LicenseRefusal} not_found
   */
  async now(caller: PluginCaller, productId?: string) {
    const time = this.#deps.clock.now();
    const answer = { ok: true as const, time, unix: Math.floor(time.getTime() / 1000), iso: isoSecond(time) };
    if (productId === undefined) return answer;
    return { ...answer, hise: hiseTime(time, await this.#pairOf(caller, productId)) };
  }

  async #pairOf({ developerId }: PluginCaller, productId: string): Promise<ProductPair> {
    const { db, productKeys } = this.#deps;
    if (!(await isOwnProduct(db, developerId, productId))) throw new LicenseRefusal('not_found', 'Product not found.');
    // made here it would sign what no plugin can read: they carry the public key from before
    const pair = await productKeys.find(developerId, productId);
    if (!pair) throw new LicenseRefusal('not_found', 'This product has no RSA pair.');
    return pair;
  }
}
