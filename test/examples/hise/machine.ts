import { ApiObject, fromScript, textOf, type Value } from './values.ts';

/** The parts of a computer that outlive the plugin. */
export class HiseMachine {
  readonly id: string;
  readonly files = new Map<string, string>();
  now = Date.UTC(2026, 2, 10, 12);
  language = 'en-US';
  system = 'OSX';
  /** The version of the plugin that is installed. */
  version = '1.2.0';
  clipboard = '';
  online = true;
  /** Nothing more can be written. */
  isFull = false;
  keyFile: string | null = null;

  constructor(id: string) {
    this.id = id;
  }

  file(name: string): ApiObject {
    const { files } = this;
    const write = (text: string) => {
      if (!this.isFull) files.set(name, text);
      return !this.isFull;
    };
    return new ApiObject('File', {
      isFile: () => files.has(name),
      writeObject: (value: Value) => write(JSON.stringify(fromScript(value))),
      writeString: (text: Value) => write(textOf(text)),
      loadAsString: () => files.get(name) ?? '',
      deleteFileOrDirectory: () => files.delete(name),
    });
  }
}
