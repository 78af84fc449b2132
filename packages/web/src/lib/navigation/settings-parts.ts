/** The parts of the settings that are shown one at a time, and the sections in each: their anchors in the URL. */
const parts = {
  account: ['security', 'profile', 'notifications', 'sessions', 'data', 'leave'],
  plan: ['plan', 'billing'],
  tokens: ['tokens', 'trusts'],
} as const;

export type SettingsPart = keyof typeof parts;

/** The part that has the section of an address, such as `plan` of `/dashboard/settings#billing`. */
export function settingsPartOf(hash: string): SettingsPart {
  const names = Object.keys(parts) as SettingsPart[];
  return names.find((part) => parts[part].some((section: string) => section === hash)) ?? 'account';
}
