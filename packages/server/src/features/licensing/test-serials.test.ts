import { expect, it } from 'vitest';
import { answerTestSerial, testOutcomeFor, testSerialOutcome } from './test-serials.ts';

it('names the status of a test serial, and of nothing else', () => {
  expect(testSerialOutcome('TEST-ACTV-AAAA-BBBB')).toBe('active');
  expect(testSerialOutcome('test expd 0000 0000')).toBe('expired');
  expect(testSerialOutcome('TESTRVKD12345678')).toBe('revoked');
  expect(testSerialOutcome('TEST-FULL-ZZZZ-9999')).toBe('seat_limit');
  for (const other of [
    '',
    'TEST-ACTV',
    'TEST-ACTV-AAAA',
    'TEST-ACTV-AAAA-BBBBB',
    'TEST-NOPE-AAAA-BBBB',
    'XTEST-ACTV-AAAA-BBBB',
  ])
    expect(testSerialOutcome(other)).toBeNull();
});

it('lets only a test key have an active one', () => {
  expect(testOutcomeFor('TEST-ACTV-AAAA-BBBB', { is_test: true })).toBe('active');
  expect(testOutcomeFor('TEST-ACTV-AAAA-BBBB', { is_test: false })).toBeNull();
  expect(testOutcomeFor('TEST-RVKD-AAAA-BBBB', { is_test: false })).toBe('revoked');
});

it('answers as a licence would, or refuses', () => {
  const key = { is_test: true };
  expect(answerTestSerial('TEST-ACTV-AAAA-BBBB', key)).toEqual({
    ok: true,
    status: 'active',
    max_activations: 3,
    remaining: 2,
  });
  expect(() => answerTestSerial('TEST-FULL-AAAA-BBBB', key)).toThrow(/in use/);
  expect(answerTestSerial('ABCD-EFGH-JKLM-NPQR', key)).toBeNull();
});
