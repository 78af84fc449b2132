import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutants } from '../../scripts/mutants/list.ts';

// `npm run mutants` takes long and is run by hand: its mutants must still apply.

it.each(mutants.map((mutant) => [mutant.fault, mutant] as const))(
  'can be planted: %s',
  (_fault, { file, from, to, tests }) => {
    expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
    expect(tests.filter((test) => !existsSync(test))).toEqual([]);
  },
);
