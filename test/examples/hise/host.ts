import { filled } from '../support.ts';
import { Engine } from './engine.ts';
import { decryptWithRSA, HiseUnlocker } from './unlocker.ts';
import {
  ApiObject,
  type Callable,
  fromScript,
  type HiseObject,
  int,
  int64,
  isTrue,
  textOf,
  toScript,
  type Value,
} from './values.ts';

type Ask = (fields: URLSearchParams, extra: RequestInit) => Promise<Response>;

/** What of a computer outlives the plugin. */
export class HiseMachine {
  readonly id: string;
  readonly files = new Map<string, string>();
  now = Date.UTC(2026, 2, 10, 12);
  online = true;
  keyFile: string | null = null;

  constructor(id: string) {
    this.id = id;
  }

  file(name: string): ApiObject {
    const { files } = this;
    return new ApiObject('File', {
      isFile: () => files.has(name),
      writeObject: (value: Value) => void files.set(name, JSON.stringify(fromScript(value))),
      loadAsString: () => files.get(name) ?? '',
      deleteFileOrDirectory: () => files.delete(name),
    });
  }
}

interface Options {
  /** Of the RSA.xml in the project; with it the plugin has an unlocker. */
  publicKey?: string | undefined;
  /** Of the project, where it is not the product's. */
  name?: string | undefined;
  /** What else the user's onInit has. */
  script?: string | undefined;
}

/** A HISE plugin with the example in it, as the example's own comment describes: its requests are sent as HISE sends them. */
export class HisePlugin {
  readonly engine: Engine;
  readonly unlocker: HiseUnlocker | undefined;
  readonly told: { unlocked: boolean; message: string }[] = [];
  readonly sent: string[] = [];
  #waiting: Promise<void> = Promise.resolve();
  #tick: Callable | undefined;

  constructor(machine: HiseMachine, values: Record<string, string>, options: Options = {}) {
    const { publicKey, name = values.PRODUCT_NAME as string, script = '' } = options;
    if (publicKey !== undefined) this.unlocker = new HiseUnlocker(machine, `${name} 1.2.0`, publicKey);
    const tell = (unlocked: Value, message: Value) => {
      this.told.push({ unlocked: isTrue(unlocked), message: textOf(message) });
    };
    this.engine = new Engine(
      [...this.#api(machine, name), new ApiObject('Test', { tell: (a: Value, b: Value) => tell(a, b) })],
      { 'Tonerow.js': filled('hise/Tonerow.js', values) },
    );
    this.engine.execute(`
      include("Tonerow.js");
      ${script}
      Tonerow.setCallback(function(toldUnlocked, toldMessage) { Test.tell(toldUnlocked, toldMessage); });
      ${this.unlocker ? 'Tonerow.setUnlocker(Engine.createLicenseUnlocker());' : ''}`);
  }

  /** What the script keeps in its state, by name. */
  get state(): Record<string, unknown> {
    return this.#object('tonerowState');
  }

  get data(): Record<string, unknown> {
    return this.#object('tonerowData');
  }

  set(name: string, value: string): void {
    const state = this.engine.namespaces.get('Tonerow')?.constants.get('tonerowState') as HiseObject;
    state.properties.set(name, value);
  }

  isUnlocked(): boolean {
    return isTrue(this.#call('isUnlocked', []));
  }

  /** Calls one of the script's functions, waits for the responses, and returns the plugin's last message. */
  async after(name: string, ...args: (string | ApiObject)[]) {
    this.#call(name, args);
    return this.settled();
  }

  async hourLater() {
    this.#tick?.call([]);
    return this.settled();
  }

  async settled() {
    let waiting: Promise<void>;
    do {
      waiting = this.#waiting;
      await waiting;
    } while (waiting !== this.#waiting);
    return this.told.at(-1);
  }

  #object(name: string): Record<string, unknown> {
    return fromScript(this.engine.namespaces.get('Tonerow')?.constants.get(name)) as Record<string, unknown>;
  }

  #call(name: string, args: Value[]): Value {
    const called = this.engine.namespaces.get('Tonerow')?.inlineFunctions.get(name);
    if (!called) throw new Error(`no Tonerow.${name}`);
    return called.call(args);
  }

  #api(machine: HiseMachine, name: string): ApiObject[] {
    const timer = new ApiObject('Timer', {
      setTimerCallback: (callback: Value) => {
        this.#tick = callback as Callable;
      },
      startTimer: (_interval: Value) => {},
    });
    return [
      new ApiObject(
        'FileSystem',
        {
          getFolder: (_location: Value) =>
            new ApiObject('File', { getChildFile: (child: Value) => machine.file(textOf(child)) }),
          getSystemId: () => machine.id,
          decryptWithRSA: (hex: Value, key: Value) => decryptWithRSA(textOf(hex), textOf(key)),
        },
        { AppData: int(1) },
      ),
      new ApiObject('Engine', {
        getName: () => name,
        getVersion: () => '1.2.0',
        getSystemStats: () => ({ ComputerName: 'Studio' }),
        createTimerObject: () => timer,
        createLicenseUnlocker: () => this.unlocker?.api,
      }),
      new ApiObject('Date', {
        getSystemTimeMs: () => int64(machine.now),
        ISO8601ToMilliseconds: (text: Value) => int64(Date.parse(textOf(text)) || 0),
      }),
      this.#server(machine),
    ];
  }

  #server(machine: HiseMachine): ApiObject {
    let base = '';
    let headers = '';
    const send = (path: Value, ask: Ask, form: Value, callback: Value) => {
      this.sent.push(textOf(path));
      const extra = headers.split('\n').map((line) => line.split(': ') as [string, string]);
      const fields = [...(form as HiseObject).properties].map(([field, value]) => [field, textOf(value)]);
      const answered = (status: number, response: unknown) =>
        (callback as Callable).call([int(status), toScript(response)]);
      // one after the other, as HISE's queue does it
      this.#waiting = this.#waiting.then(async () => {
        if (!machine.online) return void answered(0, {});
        const answer = await ask(new URLSearchParams(fields), { headers: extra, redirect: 'error' });
        answered(answer.status, parsed(await answer.text()));
      });
    };
    return new ApiObject('Server', {
      setBaseURL: (url: Value) => {
        base = textOf(url);
      },
      setHttpHeader: (text: Value) => {
        headers = textOf(text);
      },
      // HISE adds the slash to what it posts, and labels it as a form
      callWithPOST: (path: Value, form: Value, callback: Value) =>
        send(
          path,
          (body, extra) => fetch(`${base}/${textOf(path)}/`, { ...extra, method: 'POST', body }),
          form,
          callback,
        ),
      callWithGET: (path: Value, form: Value, callback: Value) =>
        send(path, (fields, extra) => fetch(`${base}/${textOf(path)}?${fields}`, extra), form, callback),
    });
  }
}

/** A response that isn't JSON arrives as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
