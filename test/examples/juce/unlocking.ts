import type { Driver } from './machine.ts';

/** The answer of the OnlineUnlock program to a line. */
export const said = async (driver: Driver, line: string) => {
  const [allowed, juce, expires, , , text] = await driver.say(line);
  return { allowed: allowed === 'allowed', juce: juce === 'unlocked', expires: Number(expires), text };
};

export const idsOf = async (driver: Driver) => (await said(driver, 'ids')).text?.split(',') as string[];
