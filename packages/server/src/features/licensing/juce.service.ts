import type { JuceForm } from './juce.schemas.ts';
import type { KeyFiles } from './keyfile.service.ts';
import { LicenseRefusal } from './license-status.ts';
import type { Credential } from './licensing.service.ts';
import type { ProductKeys } from './product-keys.service.ts';

/** JUCE's own web unlock: the stock form's fields in, a key file out. */
export class JuceUnlock {
  readonly #deps: { keyFiles: KeyFiles; productKeys: ProductKeys };

  constructor(deps: { keyFiles: KeyFiles; productKeys: ProductKeys }) {
    this.#deps = deps;
  }

  /**
   * Takes a seat and makes the key file; the first unlock of a serial is its redemption, with the form's address.
   * @throws {LicenseRefusal}
   */
  async unlock(credential: Credential | null, form: JuceForm, country: string | null): Promise<string> {
    const { keyFiles, productKeys } = this.#deps;
    const { developer_id } = await keyFiles.developerOf(credential);
    const serial = form.license_key ?? form.serial ?? form.pw;
    if (!serial) throw new LicenseRefusal('invalid_request', 'Enter your serial.');
    const [machine, ...oldIds] = form.mach ?? [];
    if (!machine) throw new LicenseRefusal('invalid_request', 'This computer has no machine number.');
    if (await keyFiles.testAnswer(credential, serial)) {
      return keyFiles.testFile(credential, form.product, null, [machine]);
    }
    const product = form.product === null ? undefined : await keyFiles.productNamed(developer_id, form.product);
    const seat = await keyFiles.hold(
      credential,
      {
        license_key: serial,
        machine_id: machine,
        old_machine_ids: oldIds,
        email: form.email,
        os: form.os,
        ...(product ? { product_id: product.id } : {}),
      },
      country,
    );
    // the plugin compares app with what it calls itself, so that is what it has to be
    const naming = { app: form.product, version: null, user: null, email: form.email };
    return keyFiles.write(seat, [machine], naming, await productKeys.ensure(seat.productId));
  }
}
