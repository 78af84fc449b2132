import type { Customers } from '#features/customers';
import type { HeldSeat } from '../calls/activate.call.ts';
import type { Deactivate } from '../calls/deactivate.call.ts';
import { type Validate, ValidateBody } from '../calls/validate.call.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { LicensingDb } from '../tables.ts';
import type { TestTokens } from '../tokens/test-tokens.ts';
import type { HiseActivateBody, HiseAnswer, HiseDeactivateBody, HiseValidateBody } from './hise.schemas.ts';
import type { KeyFiles } from './keyfile.service.ts';
import type { ProductKeys } from './product-keys.service.ts';

interface Dependencies {
  db: LicensingDb;
  validate: Validate;
  deactivate: Deactivate;
  testTokens: TestTokens;
  customers: Customers;
  keyFiles: KeyFiles;
  productKeys: ProductKeys;
}

/** The legacy routes of HISE plugins: other names, the same licenses. */
export class HiseLicensing {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {LicenseRefusal} */
  async activate(caller: PluginCaller, form: HiseActivateBody, country: string | null): Promise<HiseAnswer> {
    const { keyFiles, testTokens } = this.#deps;
    const { key: license_key, instance_id: machine_id, product_id } = form;
    const test = await testTokens.answer(caller, license_key, { machine_id, product_id });
    if (test) return test as HiseAnswer;
    const seat = await keyFiles.takeSeat(
      caller,
      {
        license_key,
        machine_id,
        product_id,
        version: form.plugin_version,
        email: form.email,
        label: form.device_label,
        old_machine_ids: form.old_instance_ids,
      },
      country,
    );
    await this.#fillInName(caller, form);
    const keyFile = await this.#keyFile(seat, form);
    return { ...seat.answer, ...(keyFile === undefined ? {} : { key_file: keyFile }) } as HiseAnswer;
  }

  /** @throws {LicenseRefusal} */
  async validate(caller: PluginCaller, form: HiseValidateBody): Promise<HiseAnswer> {
    const body = ValidateBody.safeParse({
      license_key: form.key,
      machine_id: form.instance_id,
      product_id: form.product_id,
      version: form.plugin_version,
      validation_token: form.token,
    });
    if (!body.success) throw new LicenseRefusal('invalid_request', body.error.issues[0]?.message);
    const { validation_token, ...answer } = await this.#deps.validate.answer(caller, body.data);
    return { ...answer, ...(validation_token === undefined ? {} : { new_token: validation_token }) } as HiseAnswer;
  }

  /** @throws {LicenseRefusal} */
  async deactivate(caller: PluginCaller, form: HiseDeactivateBody): Promise<HiseAnswer> {
    const { key: license_key, instance_id: machine_id } = form;
    return (await this.#deps.deactivate.answer(caller, { license_key, machine_id })) as HiseAnswer;
  }

  /** The rules have compared the address with the owner's, so this is the owner. */
  async #fillInName({ developerId }: PluginCaller, form: HiseActivateBody): Promise<void> {
    const { email, first_name: firstName, last_name: lastName } = form;
    if (!email || !(firstName || lastName)) return;
    const { db, customers } = this.#deps;
    await db.work({ tx: true }, (tx) => customers.ensure(tx, developerId, { email, firstName, lastName }));
  }

  /** HISE compares the name without its last word, so a version has to follow it. */
  async #keyFile(seat: HeldSeat, form: HiseActivateBody): Promise<string | undefined> {
    const pair = await this.#deps.productKeys.find(seat.developerId, seat.productId);
    if (!pair) return undefined;
    const account = [form.first_name, form.last_name].filter(Boolean).join(' ') || null;
    const version = form.plugin_version?.replaceAll(/\s/g, '') || '1.0.0';
    return this.#deps.keyFiles.write(
      seat,
      [form.instance_id],
      { app: form.app && `${form.app} ${version}`, version, user: account, email: form.email },
      pair,
    );
  }
}
