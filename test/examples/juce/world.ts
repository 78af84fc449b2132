import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { DAY, TestClock } from '../../../packages/server/src/platform/clock.ts';
import { SpoofedServer } from '../spoofed-server.ts';
import { Driver, JuceMachine } from './machine.ts';

type Serial = { id: string; code: string };

/** A server with one product, reached through one that can lie, and computers that run a program with JUCE. */
export class JuceWorld {
  readonly clock: TestClock;
  readonly server: TestServer;
  readonly spoofed: SpoofedServer;
  readonly ada: Person;
  readonly product: { id: string; name: string };
  /** Values for the placeholders of the examples. */
  readonly values: Record<string, string>;
  readonly folder: string;
  readonly #drivers: Driver[] = [];
  #machines = 0;

  private constructor(made: Omit<JuceWorld, 'values'>, key: string, rsa: string) {
    this.clock = made.clock;
    this.server = made.server;
    this.spoofed = made.spoofed;
    this.ada = made.ada;
    this.product = made.product;
    this.folder = made.folder;
    this.values = {
      TONEROW_URL: this.spoofed.url,
      PLUGIN_KEY: key,
      DEVELOPER_ID: this.ada.id,
      PRODUCT_ID: this.product.id,
      PRODUCT_NAME: this.product.name,
      JUCE_PRODUCT_ID: this.product.name,
      RSA_PUBLIC_KEY: rsa,
    };
  }

  static async start(fields: object = {}): Promise<JuceWorld> {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-juce-'));
    const clock = new TestClock('2026-03-10T12:00:00Z');
    const server = await startServer({ overrides: { clock } });
    const spoofed = await SpoofedServer.start(server.url);
    const ada = await signUp(server);
    const { token } = ada;
    const product = await makeProduct(server, token, fields);
    const rsa = await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token });
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token, body: {} })).body.plaintext;
    return new JuceWorld({ clock, server, spoofed, ada, product, folder } as JuceWorld, key, rsa.text);
  }

  async stop(): Promise<void> {
    this.spoofed.stop();
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async machine(): Promise<JuceMachine> {
    this.#machines += 1;
    return JuceMachine.make(this.folder, `L${this.#machines}`);
  }

  /** Starts a program on a machine. */
  async run(program: string, machine: JuceMachine, values: Record<string, string> = {}): Promise<Driver> {
    const driver = new Driver(program, machine, { ...this.values, ...values });
    this.#drivers.push(driver);
    await driver.say(`clock ${this.now}`);
    return driver;
  }

  /** Ends all programs, and returns their complaints and JUCE's. */
  async ended(): Promise<{ code: number | null; complaints: string }[]> {
    this.spoofed.lie = null;
    return Promise.all(this.#drivers.splice(0).map((each) => each.stop()));
  }

  /** A file of its own. */
  async file(name: string, text: string): Promise<string> {
    const where = path.join(this.folder, name);
    await writeFile(where, text);
    return where;
  }

  get now(): number {
    return this.clock.now().getTime();
  }

  async serial(): Promise<Serial> {
    return (await makeSerials(this.server, this.ada.token, this.product.id, { quantity: 1 }))[0] as Serial;
  }

  async seats({ id }: Serial): Promise<unknown> {
    const [row] = await this.server.db.query<{ seats_used: number }>('select seats_used from serials where id = $1', [
      id,
    ]);
    return row?.seats_used;
  }

  /** The machines that hold a seat. */
  async seated({ id }: Serial): Promise<string[]> {
    const rows = await this.server.db.query<{ machine_id: string }>(
      'select machine_id from activations where serial_id = $1 and released_at is null order by machine_id',
      [id],
    );
    return rows.map((row) => row.machine_id);
  }

  revoke(serial: Serial) {
    return call(this.server, 'PATCH', `/api/serials/revoke/${serial.id}`, { token: this.ada.token });
  }

  /** Calls the licensing API with the plugin's key. */
  licensing(route: string, body: object) {
    return call(this.server, 'POST', `/api/license/v1/${route}`, { token: this.values.PLUGIN_KEY as string, body });
  }

  /** The file of a product's unlock for good, as it is put away. */
  async unlockFile({ id, name } = this.product): Promise<string> {
    const { token } = this.ada;
    await call(this.server, 'GET', `/api/products/${id}/rsa`, { token });
    await call(this.server, 'POST', `/api/products/${id}/unlock`, { token, body: { product_name: name } });
    return (await call(this.server, 'POST', `/api/products/${id}/unlock/download`, { token })).text;
  }

  /** Moves everybody's clock; the developer signs in, or the session would end. */
  async pass(driver: Driver, days: number): Promise<void> {
    for (let left = days; left > 0; left -= 5) {
      this.clock.advance(Math.min(left, 5) * DAY);
      await call(this.server, 'GET', '/api/auth/me', { token: this.ada.token });
    }
    await driver.say(`clock ${this.now}`);
  }
}
