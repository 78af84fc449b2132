/** What the groups of commands are for. */
export const about: Record<string, string> = {
  products: 'Make, change, publish and delete products',
  serials: 'Generate, import, export, revoke and watch serials',
  files: 'Upload product files and images',
  customers: 'List, import, export and erase customers',
  keys: 'Manage the keys that plugins carry',
  downloads: 'What a customer has redeemed',
  branding: 'How the redemption page looks',
  domains: 'The redemption page at a host of your own',
  mail: 'Letters, and what became of them',
  announcements: 'What everybody is told',
  machines: 'Machines that hold seats',
  license: 'Speak to the licensing API as a plugin does',
  account: 'Password, sessions and the account itself',
  tokens: 'Access tokens for scripts and CI',
  resellers: 'The resellers you work with',
};
