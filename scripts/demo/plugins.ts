import type { Deps } from '../../packages/server/src/deps.ts';
import { DAY } from '../../packages/server/src/platform/clock.ts';
import { roll } from './cast.ts';
import type { Timeline } from './timeline.ts';

/** The versions that the plugins report, each from a day on. */
const releases: [day: number, version: string][] = [
  [345, '1.3.0'],
  [240, '1.2.1'],
  [120, '1.1.0'],
  [0, '1.0.0'],
];
const systems = ['macOS 15', 'Windows 11', 'macOS 15', 'Windows 11', 'macOS 14', 'Windows 10'];
/** Not everybody installs what they bought, and not everybody opens it again. */
const INSTALLED = 0.6;
const STILL_USED = 0.7;
const UPDATED = 0.65;

const versionOf = (today: number) => releases.find(([day]) => day <= today)?.[1] ?? '';

interface Installed {
  license_key: string;
  machine_id: string;
  label: string;
  os: string;
  version: string;
}

/** The plugins of customers: they activate after a redemption, and many once more, most of them with the version of that day. */
export class Plugins {
  readonly #deps: Deps;
  readonly #url: string;
  readonly #timeline: Timeline;
  readonly #days: number;
  #key = '';
  #machines = 0;

  constructor(deps: Deps, url: string, timeline: Timeline, days: number) {
    this.#deps = deps;
    this.#url = url;
    this.#timeline = timeline;
    this.#days = days;
  }

  /** @param key the plaintext of the plugin key that they carry. */
  carry(key: string): void {
    this.#key = key;
  }

  /** Installs what was just redeemed, on one machine. */
  install(license_key: string): void {
    if (roll() > INSTALLED) return;
    this.#machines += 1;
    const os = systems[this.#machines % systems.length] as string;
    const machine = { license_key, machine_id: `demo-${this.#machines}`, label: `Studio ${this.#machines}` };
    const day = this.#today() + 0.02;
    const installed = { ...machine, os, version: versionOf(day) };
    this.#timeline.on(day, () => this.#activate(installed));
    if (roll() > STILL_USED) return;
    const again = this.#days - roll() * 28;
    const version = roll() < UPDATED ? versionOf(again) : installed.version;
    if (again > day + 1) this.#timeline.on(again, () => this.#activate({ ...installed, version }));
  }

  #today(): number {
    return (this.#deps.clock.now().getTime() - this.#timeline.begin.getTime()) / DAY;
  }

  async #activate(machine: Installed): Promise<void> {
    const answer = await fetch(`${this.#url}/api/license/v1/activate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify(machine),
    });
    // serials that were refunded or revoked in the meantime are refused
    if (answer.status >= 500) throw new Error(`activate: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}
