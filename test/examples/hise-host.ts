import { filled } from './support.ts';

type Callback = (status: number, response: Record<string, unknown>) => void;

interface Script {
  Tonerow: {
    state: { license_key: string; instance_id: string; token: string; last_ok: number; last_error: string };
    onChange: unknown;
    unlocker: unknown;
  };
  tonerowStart(): void;
  tonerowIsUnlocked(): boolean;
  tonerowActivate(key: string, first: string, last: string, email: string): void;
  tonerowValidate(): void;
  tonerowDeactivate(): void;
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
      deleteFileOrDirectory: () => files.delete(name),
    };
  }
}

/** The HISE example in what it needs of HISE: the script runs as it is, and its requests go out as HISE sends them. */
export class HisePlugin {
  readonly script: Script;
  readonly told: { unlocked: boolean; message: string }[] = [];
  readonly sent: string[] = [];
  #waiting: Promise<void> = Promise.resolve();
  #tick = () => {};

  constructor(machine: HiseMachine, values: Record<string, string>, withUnlocker = false) {
    const host = {
      FileSystem: {
        AppData: 'AppData',
        getFolder: () => ({ getChildFile: (name: string) => machine.file(name) }),
        getSystemId: () => machine.id,
      },
      Engine: {
        getVersion: () => '1.2.0',
        getSystemStats: () => ({ ComputerName: 'Studio' }),
        createTimerObject: () => ({
          setTimerCallback: (callback: () => void) => {
            this.#tick = callback;
          },
          startTimer: () => {},
        }),
      },
      Date: { getSystemTimeMs: () => machine.now },
      Server: this.#server(machine),
      isDefined: (value: unknown) => value !== undefined,
    };
    const exported = 'Tonerow, tonerowStart, tonerowIsUnlocked, tonerowActivate, tonerowValidate, tonerowDeactivate';
    const source = `${filled('hise/Tonerow.js', values)}\nreturn { ${exported} };`;
    this.script = new Function(...Object.keys(host), source)(...Object.values(host));
    this.script.Tonerow.onChange = (unlocked: boolean, message: string) => this.told.push({ unlocked, message });
    if (withUnlocker) {
      this.script.Tonerow.unlocker = {
        writeKeyFile: (text: string) => {
          machine.keyFile = text;
        },
        keyFileExists: () => machine.keyFile !== null,
        getLicenseKeyFile: () => ({
          deleteFileOrDirectory: () => {
            machine.keyFile = null;
          },
        }),
      };
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
    return {
      setBaseURL: (url: string) => {
        base = url;
      },
      setHttpHeader: (text: string) => {
        headers = text;
      },
      callWithPOST: (path: string, form: Record<string, unknown>, callback: Callback) => {
        this.sent.push(path);
        const extra = headers.split('\n').map((line) => line.split(': ') as [string, string]);
        // HISE adds the slash, and labels what it sends as a form
        const send = async () => {
          if (!machine.online) return callback(0, {});
          const body = new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)]));
          const answer = await fetch(`${base}/${path}/`, { method: 'POST', headers: extra, body, redirect: 'error' });
          callback(answer.status, (await answer.json()) as Record<string, unknown>);
        };
        this.#waiting = this.#waiting.then(send);
      },
    };
  }
}
