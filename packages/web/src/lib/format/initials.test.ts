import { expect, it } from 'vitest';
import { initialsOf } from './initials.ts';

it('initials are whole characters of any script', () => {
  expect(initialsOf('Ada', 'berg')).toBe('AB');
  expect(initialsOf('🎛️ Mixer', 'Øre')).toBe('🎛Ø');
  expect(initialsOf('', 'x')).toBe('X');
});
