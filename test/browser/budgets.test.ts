import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSizes } from '../../packages/web/scripts/sizes.ts';

const dist = fileURLToPath(new URL('../../packages/web/dist', import.meta.url));
const kilobyte = 1000;

describe('the weight of the dashboard', () => {
  it('has a build to weigh', () => {
    expect(existsSync(`${dist}/.vite/manifest.json`), 'packages/web/dist is missing: build the dashboard first').toBe(
      true,
    );
  });

  it('starts with at most 120 kB of JavaScript', () => {
    expect(readSizes(dist).entry).toBeLessThanOrEqual(120 * kilobyte);
  });

  it('adds at most 60 kB for any screen', () => {
    const tooHeavy = Object.entries(readSizes(dist).parts).filter(([, bytes]) => bytes > 60 * kilobyte);
    expect(tooHeavy).toEqual([]);
  });

  it('keeps the redemption page under 90 kB', () => {
    expect(readSizes(dist).redeem ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(90 * kilobyte);
  });
});
