/** How names are compared: of products, their JUCE product ids, and resellers. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
