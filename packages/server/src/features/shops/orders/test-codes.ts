import { CodeMaker } from '#features/serials';
import type { Random } from '#platform/random.ts';

/** A code for a try: no plugin counts it, and every plugin of the developer's takes it for an active serial. */
export function testCode(random: Random): string {
  const [, , third, fourth] = new CodeMaker(random, null).next().split('-');
  return `TEST-ACTV-${third}-${fourth}`;
}
