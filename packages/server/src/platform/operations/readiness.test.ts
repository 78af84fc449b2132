import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Readiness } from './readiness.ts';

it('takes jobs again only once they have been paused, however soon it is ready again', async () => {
  let tooOld = false;
  const check = { name: 'schema', stopsWork: true, run: async () => (tooOld ? { reason: 'too old' } : null) };
  const readiness = new Readiness([check], pino({ level: 'silent' }));
  const steps: string[] = [];
  const running = Promise.withResolvers<void>();
  readiness.watch(async (mayWork) => {
    steps.push(mayWork ? 'resuming' : 'pausing');
    if (!mayWork) await running.promise;
    steps.push(mayWork ? 'resumed' : 'paused');
  });
  for (tooOld of [true, false]) await readiness.state();
  running.resolve();
  await expect.poll(() => steps).toEqual(['pausing', 'paused', 'resuming', 'resumed']);
  readiness.drain();
});
