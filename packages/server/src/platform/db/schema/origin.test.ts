import { describe, expect, it } from 'vitest';
import { backupRefusalOf, originOf, refusalOf } from './origin.ts';

const FIRST = 'Migration20261121112820_first';
const MERGED = 'Migration20261122032841_foundation';
const OURS = 'Migration20261126141609_ours';
const NEXT = 'Migration20261201000000_next';

/** The refusal of a database on which these ran. */
const about = (ran: string[], known: string[]) => {
  const [unknown, pending] = [ran.filter((each) => !known.includes(each)), known.filter((each) => !ran.includes(each))];
  return refusalOf(originOf(ran, known), { unknown, pending });
};

describe('a database on which other migrations ran is called', () => {
  it.each([
    ['newer where it has all of ours and more', [MERGED, OURS, NEXT], [MERGED, OURS], 'newer'],
    ['newer where another was merged before ours', [FIRST, MERGED, OURS], [MERGED, OURS], 'newer'],
    ['newer where a later one has replaced all of ours', [NEXT], [MERGED, OURS], 'newer'],
    ['older where ours have replaced its own', [FIRST], [MERGED, OURS], 'older'],
    ['older where it stopped on the way to ours', [FIRST, MERGED], [MERGED, OURS], 'older'],
    ['neither where each lacks some of the other', [MERGED, NEXT], [MERGED, OURS], 'another'],
  ])('%s', (_, ran, known, origin) => {
    expect(originOf(ran, known)).toBe(origin);
  });
});

describe('the refusal', () => {
  it('of an older database calls it older, with its day, and never newer', () => {
    const said = about([FIRST], [MERGED, OURS]);
    expect(said).toMatch(`from an older version of the server`);
    expect(said).toContain(`${FIRST} ran there, and this version does not have that migration. `);
    expect(said).toContain('The newest of them is of 2026-11-21.');
    expect(said).not.toMatch(/newer/);
  });

  it('of another line names what each side lacks, and the first three of many', () => {
    const said = about([MERGED, NEXT], [MERGED, OURS]);
    expect(said).toContain(`${NEXT} ran there`);
    expect(said).toContain(`while ${OURS} did not run`);
    const many = Array.from({ length: 8 }, (_, n) => `Migration2099010100000${n}_n`);
    expect(about([MERGED, OURS, ...many], [MERGED, OURS])).toContain(
      `${many.slice(0, 3).join(', ')} and 5 more ran there`,
    );
  });

  it('of a backup names the version with which it can be restored', () => {
    expect(backupRefusalOf('newer', { unknown: [NEXT], pending: [] })).toContain('A newer version');
    const older = backupRefusalOf('older', { unknown: [FIRST], pending: [OURS] });
    expect(older).toMatch(/^An older version .* 2026-11-21\. Restore it with the version that made it\.$/);
    expect(backupRefusalOf('another', { unknown: [NEXT], pending: [OURS] })).toContain('neither older nor newer');
  });
});
