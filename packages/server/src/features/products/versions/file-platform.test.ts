import { describe, expect, it } from 'vitest';
import { type Arch, computerOf, fileFor, platformOf, type System } from './file-platform.ts';

it.each<[string, string, System | null, Arch | null]>([
  ['macOS', 'delay.zip', 'macos', null],
  ['Installer', 'Delay-1.4_mac_arm64.zip', 'macos', 'arm64'],
  ['Mac (Universal)', 'delay_x86_64.pkg', 'macos', null],
  ['Apple Silicon', 'delay.pkg', 'macos', 'arm64'],
  ['Windows', 'delay-x64.msi', 'windows', 'x86_64'],
  ['Setup', 'DelayWin64.exe', 'windows', null],
  ['Linux for arm64', 'delay.tar.gz', 'linux', 'arm64'],
  ['Linux', 'delay-arm64-x64.tar.gz', 'linux', null],
  ['Manual', 'manual.pdf', null, null],
  // the label is what customers read
  ['Windows', 'delay.dmg', 'windows', null],
])('“%s”, %s, is for %s and %s', (label, name, os, arch) => {
  expect(platformOf(label, name)).toEqual({ os, arch });
});

it.each([
  ['Mac OSX 14.4', 'arm64', 'macos', 'arm64'],
  ['Darwin', 'x86_64', 'macos', 'x86_64'],
  ['Windows 11', 'AMD64', 'windows', 'x86_64'],
  ['Linux', 'aarch64', 'linux', 'arm64'],
  ['BeOS', 'other', null, null],
  [null, null, null, null],
])('a plugin on %s and %s', (os, arch, system, processor) => {
  expect(computerOf(os, arch)).toEqual({ os: system, arch: processor });
});

describe('the file for a computer', () => {
  const file = (name: string) => ({ name, ...platformOf(name, '') });
  const named = (files: string[], os: string, arch: string) => fileFor(files.map(file), computerOf(os, arch))?.name;

  it.each([
    ['of its system', ['macOS', 'Windows', 'Manual'], 'macos', 'arm64', 'macOS'],
    ['of its processor', ['Linux arm64', 'Linux x64'], 'linux', 'x86_64', 'Linux x64'],
    ['rather of its processor than of all', ['Linux', 'Linux x64'], 'linux', 'x86_64', 'Linux x64'],
    ['for all, where none is of its processor', ['Linux', 'Linux x64'], 'linux', 'arm64', 'Linux'],
    ['none of two', ['macOS VST3', 'macOS AU'], 'macos', 'arm64', undefined],
    ['none of another processor', ['Windows x64'], 'windows', 'arm64', undefined],
    ['none of another system', ['Windows'], 'linux', 'x86_64', undefined],
    ['none for an unknown system', ['Manual'], 'BeOS', 'x86_64', undefined],
  ])('%s', (_what, files, os, arch, expected) => {
    expect(named(files, os, arch)).toBe(expected);
  });
});
