import { expect, it } from 'vitest';
import { createLogger } from './log.ts';

it('many loggers of a process share its standard output, and leave nothing behind each', () => {
  createLogger('silent');
  const listeners = process.listenerCount('exit');
  for (let made = 0; made < 12; made += 1) createLogger('silent');
  expect(process.listenerCount('exit')).toBe(listeners);
});
