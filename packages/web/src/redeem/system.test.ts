import { describe, expect, it } from 'vitest';
import { sorted, systemOf, thisComputer } from './system.ts';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const PHONE = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36';

describe('the computer', () => {
  it.each([
    [MAC, 'mac'],
    [WINDOWS, 'windows'],
    [LINUX, 'linux'],
    [PHONE, null],
    ['', null],
  ])('is told by %s', async (userAgent, system) => {
    expect((await thisComputer({ userAgent })).system).toBe(system);
  });

  it('has a chip if the browser shows it', async () => {
    const userAgentData = { platform: 'macOS', getHighEntropyValues: async () => ({ architecture: 'arm' }) };
    expect(await thisComputer({ userAgent: MAC, userAgentData })).toEqual({ system: 'mac', chip: 'arm' });
    const silent = { platform: 'macOS', getHighEntropyValues: () => Promise.reject(new Error('no')) };
    expect(await thisComputer({ userAgent: MAC, userAgentData: silent })).toEqual({ system: 'mac', chip: null });
  });
});

it.each([
  ['macOS', 'mac'],
  ['Prism_Delay_1.2_Mac_arm64.pkg', 'mac'],
  ['Installer.dmg', 'mac'],
  ['Windows (VST3)', 'windows'],
  ['setup-win64.zip', 'windows'],
  ['setup.exe', 'windows'],
  ['prism.tar.gz', 'linux'],
  ['Linux', 'linux'],
  ['Manual.pdf', null],
  ['Darwinian presets', null],
  ['Machine learning', null],
])('a file %s is for %s', (label, system) => {
  expect(systemOf(label)).toBe(system);
});

describe('files', () => {
  const files = ['Windows.exe', 'Mac Intel.pkg', 'Manual.pdf', 'Mac ARM.pkg', 'Linux.deb'].map((name) => ({
    name,
    url: '',
    size: null,
    begun: false,
  }));
  const shown = (system: 'mac' | 'windows' | null, chip: 'arm' | null = null) => {
    const { here, elsewhere } = sorted(files, { system, chip });
    return [here, elsewhere].map((each) => each.map((file) => file.index));
  };

  it('for this computer come first, those for every computer after them, and others apart', () => {
    expect(shown('mac')).toEqual([
      [1, 3, 2],
      [0, 4],
    ]);
    expect(shown('mac', 'arm')).toEqual([
      [3, 2],
      [0, 1, 4],
    ]);
    expect(shown('windows')).toEqual([
      [0, 2],
      [1, 3, 4],
    ]);
  });

  it('are all shown where none of them can be told to fit', () => {
    expect(shown(null)).toEqual([[0, 1, 2, 3, 4], []]);
    const manual = [{ name: 'Manual', url: '', size: null, begun: false }];
    expect(sorted(manual, { system: 'linux', chip: null }).here).toHaveLength(1);
  });
});
