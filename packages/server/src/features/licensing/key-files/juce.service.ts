import { findNamedProduct } from '#features/products';
import type { Refusals } from '../refusals/refusals.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { LicensingDb } from '../tables.ts';
import type { JuceForm } from './juce.schemas.ts';
import type { KeyFiles } from './keyfile.service.ts';
import type { ProductKeys } from './product-keys.service.ts';

interface Dependencies {
  db: LicensingDb;
  keyFiles: KeyFiles;
  productKeys: ProductKeys;
  refusals: Refusals;
}

/** JUCE's own web unlock: the stock form's fields in, a key file out. */
export class JuceUnlock {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Takes a seat and makes the key file; the first unlock of a serial is its redemption, with the form's address.
   * @throws {LicenseRefusal}
   */
  async unlock(caller: PluginCaller, form: JuceForm, country: string | null): Promise<string> {
    const { keyFiles, productKeys } = this.#deps;
    const serial = form.license_key ?? form.serial ?? form.pw;
    if (!serial) throw new LicenseRefusal('invalid_request', 'Enter your serial.');
    const [machine, ...oldIds] = form.mach ?? [];
    if (!machine) throw new LicenseRefusal('invalid_request', 'This computer has no machine id.');
    const product = await this.#product(caller.developerId, form.product, machine);
    if (keyFiles.testAnswer(caller, serial)) {
      return keyFiles.testFile(caller, form.product, null, [machine]);
    }
    const seat = await keyFiles.takeSeat(
      caller,
      {
        license_key: serial,
        machine_id: machine,
        old_machine_ids: oldIds,
        email: form.email,
        os: form.os,
        product_id: product.id,
      },
      country,
    );
    // the plugin compares app with what it calls itself, so that is what it has to be
    const naming = { app: form.product, version: null, user: null, email: form.email };
    return keyFiles.write(seat, [machine], naming, await productKeys.ensure(seat.developerId, seat.productId));
  }

  /**
   * A plugin that names no product of its maker could redeem the serials of all of them, so it redeems none.
   * @throws {LicenseRefusal} product_mismatch
   */
  async #product(developerId: string, text: string | null, machineId: string): Promise<{ id: string }> {
    const found = text === null ? undefined : await findNamedProduct(this.#deps.db, developerId, text);
    if (found) return found;
    const status = 'product_mismatch';
    const about = { serialId: null, productId: null, version: null };
    this.#deps.refusals.note({ developerId, action: 'activate', status, machineId, ...about });
    throw new LicenseRefusal(
      status,
      text === null
        ? 'This plugin does not identify its product. Please contact its maker.'
        : `This plugin identifies itself as “${text}”, but its maker has no such product. Please contact the maker.`,
    );
  }
}
