import type { Driver, JuceMachine } from './machine.ts';

/** A running `license.cpp`. */
export class LicensePlugin {
  readonly machine: JuceMachine;
  readonly driver: Driver;

  constructor(machine: JuceMachine, driver: Driver) {
    this.machine = machine;
    this.driver = driver;
  }

  async say(line: string) {
    const [state, requests, checkBefore, message, trial, key, changes, said] = await this.driver.say(line);
    return {
      state,
      requests: Number(requests),
      checkBefore: Number(checkBefore),
      message,
      trial: trial === 'trial',
      key,
      changes: Number(changes),
      said: said ?? '',
    };
  }
}
