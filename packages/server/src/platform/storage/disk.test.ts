import { describe, expect, it } from 'vitest';
import { MINUTE, TestClock } from '../clock.ts';
import { createLogger } from '../log.ts';
import { Disk, isDiskFull } from './disk.ts';

const MB = 1024 * 1024;

function watch(free?: () => Promise<number>) {
  const clock = new TestClock('2026-01-01');
  const state = { free: 10_000 * MB };
  const disk = new Disk({
    folder: '/data',
    clock,
    log: createLogger('silent'),
    free: free ?? (async () => state.free),
  });
  return { disk, state, clock };
}

describe('the disk', () => {
  it('warns below half a gigabyte, and again differently when nothing is left', async () => {
    const { disk, state, clock } = watch();
    expect(await disk.warnings()).toEqual([]);
    state.free = 500 * MB;
    clock.advance(MINUTE);
    expect(await disk.warnings()).toEqual(['disk_low']);
    state.free = 0;
    clock.advance(MINUTE);
    expect(await disk.warnings()).toEqual(['disk_full']);
    state.free = 10_000 * MB;
    clock.advance(MINUTE);
    expect(await disk.warnings()).toEqual([]);
  });

  it('remembers a failed write for a while, as with a quota', async () => {
    const { disk, clock } = watch();
    disk.noteFull();
    expect(await disk.warnings()).toEqual(['disk_full']);
    clock.advance(6 * MINUTE);
    expect(await disk.warnings()).toEqual([]);
  });

  it('does not block anything when the disk cannot be checked', async () => {
    const { disk } = watch(() => Promise.reject(new Error('no such folder')));
    expect(await disk.warnings()).toEqual([]);
  });

  it('recognizes a full disk from file and PostgreSQL errors, however deeply wrapped', () => {
    const full = (code: string) => Object.assign(new Error('full'), { code });
    for (const code of ['ENOSPC', 'EDQUOT', '53100']) {
      expect(isDiskFull(new Error('wrapped', { cause: new Error('again', { cause: full(code) }) }))).toBe(true);
    }
    for (const error of [full('ENOENT'), full('53300'), null, undefined, 'ENOSPC'])
      expect(isDiskFull(error)).toBe(false);
  });
});
