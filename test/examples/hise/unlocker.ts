import { juceKeyOf, juceTextOf } from '@tonerow/test-support/juce.ts';
import { ApiObject, int, textOf, type Value, VOID } from './values.ts';

interface Machine {
  readonly id: string;
  keyFile: string | null;
}

/**
 * The object that Engine.createLicenseUnlocker() returns: JUCE 6's OnlineUnlockStatus as HISE builds it in. It has only
 * the public key, and takes in a key file of this machine that is there already.
 */
export class HiseUnlocker {
  readonly api: ApiObject;
  readonly #machine: Machine;
  readonly #product: string;
  readonly #publicKey: string;
  #unlocked = false;
  #expiry = 0;

  constructor(machine: Machine, product: string, publicKey: string) {
    this.#machine = machine;
    this.#product = product;
    this.#publicKey = publicKey;
    this.loadKeyFile();
    this.api = new ApiObject('Unlocker', {
      // a property that was never set, where one would expect false
      isUnlocked: () => this.#unlocked || VOID,
      canExpire: () => this.canExpire(),
      keyFileExists: () => machine.keyFile !== null,
      getLicenseKeyFile: () => this.#file(),
      isValidKeyFile: (text: Value) => typeof text === 'string' && text.startsWith('Keyfile for '),
      writeKeyFile: (text: Value) => {
        machine.keyFile = textOf(text);
        return int(this.loadKeyFile());
      },
      loadKeyFile: () => int(this.loadKeyFile()),
      checkExpirationData: (signed: Value) => this.checkExpirationData(textOf(signed)),
    });
  }

  isUnlocked(): boolean {
    return this.#unlocked;
  }

  canExpire(): boolean {
    return this.#expiry !== 0;
  }

  /** 0 for a good file that has an end: that is opened by the server's time alone. What is open looks at no file. */
  loadKeyFile(): number {
    if (this.#unlocked) return 1;
    const { keyFile, id } = this.#machine;
    if (keyFile === null) return 0;
    const key = this.#keyOf(keyFile);
    if (!key.user || !key.email || bare(key.app ?? '') !== bare(this.#product)) return 0;
    const expires = key.expiring_mach !== undefined && key.expiryTime !== undefined;
    const here = (expires ? key.expiring_mach : key.mach)?.split(/[,; ]/).includes(id) ?? false;
    if (expires) this.#expiry = here ? Number.parseInt(key.expiryTime as string, 16) : 0;
    else this.#unlocked = here;
    return Number(this.#unlocked);
  }

  /** The days that are left, rounded; false when there are none. It never locks what is open. */
  checkExpirationData(signed: string): number | false | string {
    if (!signed.startsWith('0x')) return 'encodedTimeString data is corrupt';
    // text ends at its first NUL, and when it is no time it is 1970 to JUCE
    const now = Date.parse(juceTextOf(`#0${signed.slice(2)}`, this.#publicKey).split('\0')[0] as string) || 0;
    const opens = this.#expiry === 0 ? this.#unlocked : this.#expiry >= now;
    if (this.#expiry !== 0 && opens) this.#unlocked = true;
    return opens ? Math.round((this.#expiry - now) / 86_400_000) : false;
  }

  #file(): ApiObject {
    const machine = this.#machine;
    return new ApiObject('File', {
      deleteFileOrDirectory: () => {
        machine.keyFile = null;
        return true;
      },
      loadAsString: () => machine.keyFile ?? '',
    });
  }

  #keyOf(keyFile: string): Record<string, string> {
    try {
      return juceKeyOf(keyFile, this.#publicKey);
    } catch {
      return {};
    }
  }
}

/** FileSystem.decryptWithRSA(): nothing for what is no UTF-8; text ends at its first NUL. */
export function decryptWithRSA(hex: string, publicKey: string): string {
  const [text = ''] = juceTextOf(`#0${hex}`, publicKey).split('\0');
  return text.includes('\uFFFD') ? '' : text;
}

/** HISE drops the last word of both names. */
function bare(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(' ')));
}
