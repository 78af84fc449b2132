import { narrow } from './text.ts';

const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** Whatever is shown as nothing: zero-width spaces, joiners, variation selectors, fillers. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** The blank of braille is no space to Unicode, and one to the eye. */
const SPACES = /[\s\u2800]+/g;

/**
 * How names are compared: of products, their JUCE product ids, and resellers. Names that look the same are the same, whatever
 * their spaces and invisible characters.
 */
export function nameKey(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  return narrow(name).replace(IGNORABLE, '').replace(SPACES, ' ').trim().toLowerCase();
}
