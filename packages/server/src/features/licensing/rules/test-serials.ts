import { type TestKind, testKindOf } from '#features/serials';
import { LicenseRefusal, type LicenseStatus } from './license-status.ts';

/** Like test cards: fixed serials, one for each status that a plugin's screens have to handle. */
const outcomes: Record<TestKind, LicenseStatus> = {
  ACTV: 'active',
  OLDT: 'active',
  WRNG: 'active',
  EXPD: 'expired',
  RVKD: 'revoked',
  FULL: 'seat_limit',
};

/** A genuine token that a plugin still has to reject: it has expired, or is about another product. */
export type TestToken = 'ended' | 'of another product';

const tokens: Partial<Record<TestKind, TestToken>> = { OLDT: 'ended', WRNG: 'of another product' };

/**
 * The status that a test serial represents: `TEST-ACTV-` and any eight more characters. Null for every other serial.
 */
export function testSerialOutcome(code: string): LicenseStatus | null {
  const kind = testKindOf(code);
  return kind && outcomes[kind];
}

/** The token that a test serial is answered with; null for those that have none, and for every other serial. */
export function testTokenOf(code: string): TestToken | null {
  const kind = testKindOf(code);
  return (kind && tokens[kind]) ?? null;
}

/**
 * Every shipped plugin carries a plugin key, so a serial that unlocks must not work with each of them: anybody who has
 * read our documentation would have the license of every plugin. Refusals are harmless; `active` needs a test key.
 */
export function testOutcomeFor(code: string, key: { isTest: boolean }): LicenseStatus | null {
  const outcome = testSerialOutcome(code);
  return outcome === 'active' && !key.isTest ? null : outcome;
}

/**
 * The answer of a licensing call for a test serial; null for every other one. It has no token: there is no license,
 * and the tokens for OLDT and WRNG (`test-tokens.ts`) are no licenses.
 * @throws {LicenseRefusal} the status that it represents.
 */
export function answerTestSerial(code: string, key: { isTest: boolean }) {
  const outcome = testOutcomeFor(code, key);
  if (outcome === null) return null;
  if (outcome !== 'active') throw new LicenseRefusal(outcome);
  return { ok: true, status: 'active' as const, max_activations: 3, remaining: 2 };
}
