import { expect, it } from 'vitest';
import { isRelease } from './offline.tsx';

it('distinguishes a release file from a machine file, however they are spelled', () => {
  const release = JSON.stringify({ release: '0a', serial_id: 'x', product_id: 'y' });
  const machine = JSON.stringify({ machine_id: 'L1', release_hash: '0a' });
  for (const text of [release, `\uFEFF${release}\r\n`, btoa(release)]) expect(isRelease(text)).toBe(true);
  for (const text of [machine, btoa(machine), 'L896D48A88', '', 'null', '7', '{']) expect(isRelease(text)).toBe(false);
});
