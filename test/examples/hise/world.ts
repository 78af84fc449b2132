import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { DAY, TestClock } from '../../../packages/server/src/platform/clock.ts';
import { HisePlugin } from './host.ts';
import { HiseMachine } from './machine.ts';

type Product = { id: string; name: string };
type Serial = { id: string; code: string };

/** A server with one product, and computers that have its plugin. */
export class HiseWorld {
  readonly server: TestServer;
  readonly clock: TestClock;
  readonly ada: Person;
  readonly product: Product;
  /** The product's RSA key, as a project that has its RSA.xml. */
  readonly publicKey: string;
  readonly values: Record<string, string>;

  private constructor(
    server: TestServer,
    clock: TestClock,
    ada: Person,
    product: Product,
    publicKey: string,
    key: string,
  ) {
    this.server = server;
    this.clock = clock;
    this.ada = ada;
    this.product = product;
    this.publicKey = publicKey;
    this.values = {
      TONEROW_URL: server.url,
      PLUGIN_KEY: key,
      DEVELOPER_ID: ada.id,
      PRODUCT_ID: product.id,
      PRODUCT_NAME: product.name,
      RSA_PUBLIC_KEY: publicKey,
    };
  }

  static async start(fields: object = {}): Promise<HiseWorld> {
    const clock = new TestClock('2026-03-10T12:00:00Z');
    const server = await startServer({ overrides: { clock } });
    const ada = await signUp(server);
    const { token } = ada;
    const product = await makeProduct(server, token, fields);
    const rsa = await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token });
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token, body: {} })).body.plaintext;
    return new HiseWorld(server, clock, ada, product, rsa.text, key);
  }

  /** Calls the licensing API with the plugin's key. */
  licensing(path: string, body: object) {
    return call(this.server, 'POST', `/api/license/v1/${path}`, { token: this.values.PLUGIN_KEY as string, body });
  }

  revoke(serial: Serial) {
    return call(this.server, 'PATCH', `/api/serials/revoke/${serial.id}`, { token: this.ada.token });
  }

  async serial(): Promise<Serial> {
    return (await makeSerials(this.server, this.ada.token, this.product.id, { quantity: 1 }))[0] as Serial;
  }

  machine(id: string): HiseMachine {
    return Object.assign(new HiseMachine(id), { now: this.clock.now().getTime() });
  }

  /** Time goes by for everybody. */
  async pass(machine: HiseMachine, days: number): Promise<void> {
    machine.now += days * DAY;
    // the developer signs in now and then, or the session would end
    for (let left = days; left > 0; left -= 5) {
      this.clock.advance(Math.min(left, 5) * DAY);
      await call(this.server, 'GET', '/api/auth/me', { token: this.ada.token });
    }
  }

  /** The plugin on a machine, started. */
  async open(
    machine: HiseMachine,
    options: {
      values?: Record<string, string>;
      publicKey?: string;
      name?: string;
      script?: string;
      panel?: boolean;
    } = {},
  ) {
    const { values, ...others } = options;
    const plugin = new HisePlugin(machine, { ...this.values, ...values }, others);
    if (others.panel) await plugin.startPanel(480, 400);
    else await plugin.after('start');
    return plugin;
  }

  async activated(machine: HiseMachine, options: Parameters<HiseWorld['open']>[1] = {}) {
    const serial = await this.serial();
    const plugin = await this.open(machine, options);
    const told = await plugin.after('activate', serial.code, 'Nina', 'Simone', 'nina@example.com');
    return { serial, plugin, told };
  }
}
