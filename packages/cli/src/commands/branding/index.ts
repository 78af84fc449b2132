import type { Noun } from '#define/command.ts';
import { brandingGet } from './get.ts';
import { brandingPreview } from './preview.ts';
import { brandingReset } from './reset.ts';
import { brandingSet } from './set.ts';

export const branding: Noun = {
  name: 'branding',
  about: 'Show or change the branding of the redemption page',
  commands: [brandingGet, brandingSet, brandingReset, brandingPreview],
};
