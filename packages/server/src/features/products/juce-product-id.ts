import { nameKey } from '#platform/text/name-key.ts';

/** A product as a plugin can name it; the keys are those of `nameKey`. */
export interface NamedProduct {
  id: string;
  name: string;
  name_key: string;
  /** Its JUCE product id, or its name where it has none of its own. */
  juce_key: string;
}

/** A version as HISE adds it. One without a dot may be part of a name: “Synth 2” is not the second version of “Synth”. */
const VERSION = / v?\d+(?:\.\d+)+[^ ]*$/;

export function withoutVersion(key: string): string {
  return key.replace(VERSION, '');
}

/**
 * The product that a stock plugin means by what it calls itself: an id, a JUCE product id, a name, or one of these and a
 * version. HISE sends “Name Version” and compares without the version, so a JUCE product id that has one is compared so too,
 * unless that fits several products.
 */
export function productNamedBy<T extends NamedProduct>(text: string, products: readonly T[]): T | undefined {
  const sent = nameKey(text.trim());
  const bare = withoutVersion(sent);
  for (const key of new Set([sent, bare])) {
    const found =
      products.find((each) => each.id === key) ??
      products.find((each) => each.juce_key === key) ??
      products.find((each) => each.name_key === key);
    if (found) return found;
  }
  const versions = bare === sent ? [] : products.filter((each) => withoutVersion(each.juce_key) === bare);
  return versions.length === 1 ? versions[0] : undefined;
}
