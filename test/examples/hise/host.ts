import { filled, HISE } from '../support.ts';
import { Engine } from './engine.ts';
import type { HiseMachine } from './machine.ts';
import { HiseScreen } from './screen.ts';
import { decryptWithRSA, HiseUnlocker } from './unlocker.ts';
import {
  ApiObject,
  type Callable,
  fromScript,
  type HiseObject,
  int,
  int64,
  isTrue,
  numberOf,
  textOf,
  toScript,
  type Value,
} from './values.ts';

interface Timer {
  /** While it runs. */
  interval: number | undefined;
  callback: Callable | undefined;
}

type Ask = (fields: URLSearchParams, extra: RequestInit) => Promise<Response>;

/** A node in C++, which answers by the other cable. */
export interface HiseNode {
  /** The texts that it sends back. */
  say(line: string): Promise<string[]>;
}

interface Options {
  /** The key in the project's RSA.xml; with it the plugin has an unlocker. */
  publicKey?: string | undefined;
  /** The project's name, where it is not the product's. */
  name?: string | undefined;
  /** More code for the project's onInit. */
  script?: string | undefined;
  /** Adds the ready form, which hears of the license in the place of the project's own callback. */
  panel?: boolean | undefined;
  /** A project's own scripts and its onInit, in the place of the example's. */
  project?: { scripts: Record<string, string>; onInit: string } | undefined;
  /** The node at the other end of the cables of HISE's global routing. */
  node?: HiseNode | undefined;
}

/** A HISE plugin with the example in it, as the example's own comment describes: its requests are sent as HISE sends them. */
export class HisePlugin {
  readonly engine: Engine;
  readonly unlocker: HiseUnlocker | undefined;
  readonly told: { unlocked: boolean; message: string }[] = [];
  readonly sent: string[] = [];
  readonly screen = new HiseScreen();
  readonly websites: string[] = [];
  /** The credentials that the handler of expansions got, one after the other. */
  readonly credentials: unknown[] = [];
  /** The files that FileSystem.browse returns, as a person would choose them one after the other. */
  readonly chosen: ApiObject[] = [];
  #waiting: Promise<void> = Promise.resolve();
  readonly #node: HiseNode | undefined;
  readonly #listening: Callable[] = [];
  readonly #timers: Timer[] = [];

  constructor(machine: HiseMachine, values: Record<string, string>, options: Options = {}) {
    const { publicKey, name = values.PRODUCT_NAME as string, script = '', panel = false, project } = options;
    this.#node = options.node;
    if (publicKey !== undefined) this.unlocker = new HiseUnlocker(machine, `${name} 1.2.0`, publicKey);
    const tell = (unlocked: Value, message: Value) => {
      this.told.push({ unlocked: isTrue(unlocked), message: textOf(message) });
    };
    this.engine = new Engine(
      [...this.#api(machine, name), new ApiObject('Test', { tell: (a: Value, b: Value) => tell(a, b) })],
      project?.scripts ?? {
        'Tonerow.js': filled('Tonerow.js', values, HISE),
        'TonerowTexts.js': filled('TonerowTexts.js', values, HISE),
        'TonerowPanel.js': filled('TonerowPanel.js', values, HISE),
      },
    );
    if (project) {
      this.engine.execute(project.onInit);
      return;
    }
    const listening =
      'Tonerow.setCallback(function(toldUnlocked, toldMessage) { Test.tell(toldUnlocked, toldMessage); });';
    this.engine.execute(`
      include("Tonerow.js");
      ${panel ? 'include("TonerowPanel.js");' : ''}
      ${script}
      ${panel ? '' : listening}
      ${this.unlocker ? 'Tonerow.setUnlocker(Engine.createLicenseUnlocker());' : ''}`);
  }

  /** The values that the script keeps in its state, by name. */
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

  /** Starts the form in an interface of this size. */
  async startPanel(width: number, height: number): Promise<void> {
    const start = this.engine.namespaces.get('TonerowPanel')?.inlineFunctions.get('start');
    if (!start) throw new Error('no TonerowPanel.start');
    start.call([int(width), int(height)]);
    await this.settled();
  }

  /** Clicks the button with this text, and waits for the responses. */
  async press(text: string): Promise<void> {
    const button = this.screen
      .shown()
      .find(({ name }) => name.startsWith('TonerowButton') && this.screen.textIn(name) === text);
    if (!button?.callback) throw new Error(`no button ${text}`);
    button.callback.call([button.name, int(1)]);
    button.callback.call([button.name, int(0)]);
    await this.settled();
  }

  hourLater() {
    return this.elapse(3_600_000);
  }

  /** The timers that run by so many milliseconds call back, and run on. */
  async elapse(interval: number) {
    for (const timer of this.#timers.filter((each) => each.interval === interval)) timer.callback?.call([]);
    return this.settled();
  }

  /** The intervals of the timers that run, in milliseconds. */
  get ticking(): number[] {
    return this.#timers.flatMap(({ interval }) => interval ?? []);
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
    return [
      new ApiObject(
        'FileSystem',
        {
          getFolder: (_location: Value) =>
            new ApiObject('File', { getChildFile: (child: Value) => machine.file(textOf(child)) }),
          getSystemId: () => machine.id,
          decryptWithRSA: (hex: Value, key: Value) => decryptWithRSA(textOf(hex), textOf(key)),
          browse: (_location: Value, _isSave: Value, _wildcard: Value, callback: Value) => {
            const file = this.chosen.shift();
            if (file) (callback as Callable).call([file]);
          },
        },
        { AppData: int(1), Desktop: int(2) },
      ),
      this.screen.content(),
      new ApiObject('Engine', {
        getName: () => name,
        getVersion: () => machine.version,
        getOS: () => machine.system,
        getSystemStats: () => ({
          ComputerName: 'Studio',
          OperatingSystemName: 'Mac OSX 14.4.0',
          DisplayLanguage: machine.language,
          FullUserName: 'Nina Simone',
        }),
        copyToClipboard: (text: Value) => {
          machine.clipboard = textOf(text);
        },
        getClipboardContent: () => machine.clipboard,
        createTimerObject: () => this.#timer(),
        createLicenseUnlocker: () => this.unlocker?.api,
        createExpansionHandler: () =>
          new ApiObject('ExpansionHandler', {
            setCredentials: (value: Value) => void this.credentials.push(fromScript(value)),
          }),
        openWebsite: (address: Value) => {
          if (textOf(address) === '') throw new Error('not a valid URL');
          this.websites.push(textOf(address));
        },
        getGlobalRoutingManager: () =>
          new ApiObject('GlobalRoutingManager', { getCable: (cable: Value) => this.#cable(textOf(cable)) }),
      }),
      new ApiObject('Date', {
        getSystemTimeMs: () => int64(machine.now),
        getSystemTimeISO8601: (hasDividers: Value) => {
          const text = new Date(machine.now).toISOString();
          return isTrue(hasDividers) ? text : text.replaceAll(/[-:]/g, '');
        },
        ISO8601ToMilliseconds: (text: Value) => int64(Date.parse(textOf(text)) || 0),
      }),
      this.#server(machine),
    ];
  }

  /** Calls back until it is stopped, and not at all without a callback. */
  #timer(): ApiObject {
    const timer: Timer = { interval: undefined, callback: undefined };
    this.#timers.push(timer);
    return new ApiObject('Timer', {
      setTimerCallback: (callback: Value) => {
        timer.callback = callback as Callable;
      },
      startTimer: (interval: Value) => {
        // in HISE, one that is shorter is an error
        if (numberOf(interval) <= 10) throw new Error('Go easy on the timer');
        timer.interval = numberOf(interval);
      },
      stopTimer: () => {
        timer.interval = undefined;
      },
    });
  }

  /** A cable to the node. The node's answer comes back by the other cable, whenever it comes. */
  #cable(cable: string): ApiObject {
    return new ApiObject('GlobalCable', {
      registerDataCallback: (callback: Value) => void this.#listening.push(callback as Callable),
      sendData: (value: Value) => {
        const words = fromScript(value) as unknown[];
        if (cable !== 'TonerowAsk' || !Array.isArray(words) || !words.every((word) => typeof word === 'string'))
          throw new Error(`${cable} carries no ${JSON.stringify(words)}`);
        this.hear(`ask ${JSON.stringify(words)}`);
      },
    });
  }

  /** Lets the node do something, and the script hear of it. */
  hear(line: string): void {
    this.#waiting = this.#waiting.then(async () => {
      for (const text of (await this.#node?.say(line)) ?? [])
        for (const callback of this.#listening) callback.call([text]);
    });
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
