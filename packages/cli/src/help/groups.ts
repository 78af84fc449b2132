/** The headings of "tonerow help", and the nouns and commands below each. */
const groups: Record<string, readonly string[]> = {
  'Sign-in and account': [
    'register',
    'login',
    'logout',
    'whoami',
    'verify-email',
    'resend-verification',
    'profiles',
    'account',
    'export',
    'tokens',
    'trust',
  ],
  'Products and serials': ['products', 'files', 'serials', 'import', 'imports', 'redeem', 'refund', 'views'],
  'Customers and figures': ['customers', 'analytics', 'search', 'ui'],
  'Plugins and machines': ['keys', 'plugin', 'license', 'machines', 'downloads'],
  'Redemption page, emails and webhooks': ['branding', 'domains', 'emails', 'announcements', 'webhooks', 'shops'],
  'Resellers and their developers': [
    'resellers',
    'partners',
    'invites',
    'deals',
    'sales',
    'draw',
    'sell',
    'draws',
    'stock',
    'payouts',
  ],
  'Plan and billing': ['plan', 'plans', 'billing', 'billing-log'],
  'Scripts and shells': ['api', 'help', 'completion'],
};

const headings = new Map(
  Object.entries(groups).flatMap(([heading, names]) => names.map((name) => [name, `${heading}:`] as const)),
);

/** Undefined for one that no group has. */
export const groupOf = (name: string): string | undefined => headings.get(name);

/** The groups in the order of the help. */
export const byGroup = [...headings.keys()];
