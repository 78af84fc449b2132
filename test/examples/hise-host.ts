import { decryptWithRSA, HiseUnlocker } from './hise-unlocker.ts';
import { filled } from './support.ts';

type Form = Record<string, unknown>;
type Ask = (fields: URLSearchParams, extra: RequestInit) => Promise<Response>;
type Callback = (status: number, response: Record<string, unknown>) => void;

interface Script {
  Tonerow: {
    state: {
      license_key: string;
      instance_id: string;
      token: string;
      last_ok: number;
      last_error: string;
      signed_time: string;
    };
    onChange: unknown;
    unlocker: unknown;
    leaseToken: string;
  };
  tonerowStart(): void;
  tonerowIsUnlocked(): boolean;
  tonerowActivate(key: string, first: string, last: string, email: string): void;
  tonerowValidate(): void;
  tonerowDeactivate(): void;
  tonerowWriteMachineFile(file: object): void;
  tonerowReadLicenseFile(file: object): void;
}

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

  file(name: string) {
    const { files } = this;
    return {
      isFile: () => files.has(name),
      writeObject: (value: object) => files.set(name, JSON.stringify(value)),
      loadAsObject: () => JSON.parse(files.get(name) ?? ''),
      loadAsString: () => files.get(name) ?? '',
      deleteFileOrDirectory: () => files.delete(name),
    };
  }
}

/** The HISE example in what it needs of HISE: the script runs as it is, and its requests go out as HISE sends them. */
export class HisePlugin {
  readonly script: Script;
  readonly unlocker: HiseUnlocker | undefined;
  readonly told: { unlocked: boolean; message: string }[] = [];
  readonly sent: string[] = [];
  #waiting: Promise<void> = Promise.resolve();
  #tick = () => {};

  /**
   * @param publicKey of the RSA.xml in the project; with it the plugin has an unlocker.
   * @param name of the project, where it is not the product's.
   */
  constructor(machine: HiseMachine, values: Record<string, string>, publicKey?: string, name = values.PRODUCT_NAME) {
    const host = {
      FileSystem: {
        AppData: 'AppData',
        getFolder: () => ({ getChildFile: (name: string) => machine.file(name) }),
        getSystemId: () => machine.id,
        decryptWithRSA,
      },
      Engine: {
        getName: () => name,
        getVersion: () => '1.2.0',
        getSystemStats: () => ({ ComputerName: 'Studio' }),
        createTimerObject: () => ({
          setTimerCallback: (callback: () => void) => {
            this.#tick = callback;
          },
          startTimer: () => {},
        }),
      },
      Date: {
        getSystemTimeMs: () => machine.now,
        ISO8601ToMilliseconds: (text: string) => Date.parse(text) || 0,
      },
      Server: this.#server(machine),
      isDefined: (value: unknown) => value !== undefined,
    };
    const exported =
      'Tonerow, tonerowStart, tonerowIsUnlocked, tonerowActivate, tonerowValidate, tonerowDeactivate, ' +
      'tonerowWriteMachineFile, tonerowReadLicenseFile';
    const source = `${filled('hise/Tonerow.js', values)}\nreturn { ${exported} };`;
    this.script = new Function(...Object.keys(host), source)(...Object.values(host));
    this.script.Tonerow.onChange = (unlocked: boolean, message: string) => this.told.push({ unlocked, message });
    if (publicKey !== undefined) {
      this.unlocker = new HiseUnlocker(machine, `${name} 1.2.0`, publicKey);
      this.script.Tonerow.unlocker = this.unlocker;
    }
  }

  /** Does something, waits for the answers, and says what the plugin was told last. */
  async after(act: (script: Script) => void) {
    act(this.script);
    let waiting: Promise<void>;
    do {
      waiting = this.#waiting;
      await waiting;
    } while (waiting !== this.#waiting);
    return this.told.at(-1);
  }

  hourLater() {
    return this.after(() => this.#tick());
  }

  #server(machine: HiseMachine) {
    let base = '';
    let headers = '';
    const send = (path: string, ask: Ask, form: Form, callback: Callback) => {
      this.sent.push(path);
      const extra = headers.split('\n').map((line) => line.split(': ') as [string, string]);
      const fields = new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)]));
      // one after the other, as HISE's queue does it
      this.#waiting = this.#waiting.then(async () => {
        if (!machine.online) return callback(0, {});
        const answer = await ask(fields, { headers: extra, redirect: 'error' });
        callback(answer.status, (await answer.json()) as Record<string, unknown>);
      });
    };
    return {
      setBaseURL: (url: string) => {
        base = url;
      },
      setHttpHeader: (text: string) => {
        headers = text;
      },
      // HISE adds the slash to what it posts, and labels it as a form
      callWithPOST: (path: string, form: Form, callback: Callback) =>
        send(
          path,
          (fields, extra) => fetch(`${base}/${path}/`, { ...extra, method: 'POST', body: fields }),
          form,
          callback,
        ),
      callWithGET: (path: string, form: Form, callback: Callback) =>
        send(path, (fields, extra) => fetch(`${base}/${path}?${fields}`, extra), form, callback),
    };
  }
}
