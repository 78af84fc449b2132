import pino from 'pino';
import { expect, it } from 'vitest';
import { housekeeping } from './housekeeping.ts';

it('runs every task although one of them fails, and then fails to be tried again', async () => {
  const done: string[] = [];
  const tasks = [
    async () => done.push('first'),
    async () => {
      throw new Error('away');
    },
    async () => done.push('last'),
  ];
  const worker = housekeeping(tasks, pino({ level: 'silent' }));
  await expect(worker.run({}, 'id')).rejects.toThrow('1 housekeeping tasks failed');
  expect(done).toEqual(['first', 'last']);
});
