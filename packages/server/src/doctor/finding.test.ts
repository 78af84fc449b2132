import { expect, it } from 'vitest';
import { examine, exitCodeOf, failed, ok, skipped, warning, wordsOf } from './finding.ts';

it('an examination that throws is a finding with the reason and what to do', async () => {
  const run = async () => {
    throw new AggregateError([Object.assign(new Error(''), { code: 'ECONNREFUSED' })]);
  };
  expect(await examine({ name: 'email', todo: 'Check SMTP_URL.', run })).toEqual([
    { check: 'email', state: 'failed', found: 'ECONNREFUSED.', todo: 'Check SMTP_URL.' },
  ]);
  expect(wordsOf(new Error('It broke', { cause: new Error('no route') }))).toBe('It broke: no route.');
});

it('one that hangs ends, and is a finding', async () => {
  const run = () => new Promise<never>(() => undefined);
  expect(await examine({ name: 'disk', todo: 'Look.', run }, 20)).toEqual([
    { check: 'disk', state: 'failed', found: 'It did not end within 0.02 seconds.', todo: 'Look.' },
  ]);
});

it('the exit code is that of the worst finding', () => {
  const of = (...found: ReturnType<typeof ok>[]) => exitCodeOf(found.map((each) => ({ check: 'x', ...each })));
  expect(of(ok('a'), skipped('b'))).toBe(0);
  expect(of(ok('a'), warning('b', 'c'))).toBe(2);
  expect(of(warning('b', 'c'), failed('d', 'e'), ok('a'))).toBe(1);
});
