/** The introduction of the reference, in Markdown. */
export const description = `Licensing and serial numbers for audio plugins.

**Credentials** travel in the header \`Authorization: Bearer …\`: a session token from signing in, an access token (\`tnr_pat_…\`)
with scopes for programs, or a plugin key (\`tnr_plg_…\`) for the licensing operations.

**Versions** are days. The header \`Tonerow-Api-Version\` of every answer names the one that this server answers, which is the version
of this document. A request that names another one is refused; one that names none is answered. Within a version, operations, fields that are
optional to send, fields of answers, values of answers and events are added, so ignore what you do not know; nothing is removed or changes
its meaning. \`X-Tonerow-Version\` is the server's release.

**Access tokens** are answered what their scopes read, and null in place of the rest: a field with \`x-kind: people\` needs \`customers:read\`
(a reseller’s token \`sales:read\`), one with \`x-kind: codes\` \`serials:read\` (\`sales:read\` or \`stock:read\`). The header
\`X-Tonerow-Withheld\` names what was left out and which scope has it.

**Errors** are \`application/problem+json\` with a stable \`code\` for programs and a \`message\` for people. The licensing operations
answer \`{ ok, status, error }\` instead. Every answer has an \`X-Request-Id\`; name it when you ask for help.

**Writes** take an \`Idempotency-Key\`: a repeat with the same key does nothing twice and gets the first answer. Rate limits answer 429
with \`Retry-After\` in seconds. Where \`X-Should-Retry\` is \`false\`, another try fails as well.

**Lists** are paged. Pass the \`next_cursor\` of the answer, or its header \`X-Next-Cursor\`, as \`cursor\`. A \`limit\` of up to 1,000
rows and \`count=false\`, which leaves the total uncounted, make long ones fast. Prices are US dollars, sizes bytes.

**Dates** are answered as moments, ISO 8601 in UTC; CSV has them on the account's clock, with its offset. A field that takes a date takes
a day (\`2026-12-31\`: its beginning or its end in the account's time zone), a moment without an offset (\`2026-12-31T18:00\`: on the
account's clock), or one with its own. \`X-Tonerow-Time-Zone\` names the account's zone in every answer to it. Months of invoices and
statements are UTC.`;

/** The groups of operations, in the order in which a reader needs them. */
export const tags = [
  { name: 'products', description: 'Plugins with their prices, downloads and licensing rules.' },
  { name: 'serials', description: 'Batches of codes: generate, list, revoke, and the machines that use them.' },
  {
    name: 'licensing',
    description: 'What plugins call: activate, validate, deactivate, trials, key files and offline licenses.',
  },
  { name: 'plugin keys', description: 'The credentials that plugins carry.' },
  { name: 'trusts', description: 'CI jobs that get access tokens for 15 minutes, without a secret.' },
  { name: 'redemption', description: 'What customers do: redeem a serial, download, release a seat.' },
  { name: 'customers', description: 'Who redeemed serials.' },
  { name: 'imports', description: 'CSV files of serials and customers.' },
  { name: 'analytics', description: 'Revenue, redemptions and machines over time.' },
  { name: 'search', description: 'One search over serials, customers and products.' },
  { name: 'live', description: 'Events as they happen.' },
  {
    name: 'webhooks',
    description: 'Events that are sent to servers of your own, signed by the Standard Webhooks rules.',
  },
  {
    name: 'shops',
    description: 'Shops whose sales become serials, what they sell, and their orders.',
  },
  { name: 'files', description: 'Product files, uploaded in parts.' },
  { name: 'media', description: 'Images.' },
  { name: 'branding', description: 'How the redemption page looks, and its own domain.' },
  { name: 'resellers', description: 'Who sells for a developer.' },
  { name: 'partners', description: 'The developers that a reseller sells for.' },
  { name: 'sales', description: 'What a reseller sold and earned: figures, transactions and customers.' },
  { name: 'payouts', description: 'Monthly statements of what resellers owe developers, and their payments.' },
  { name: 'invites', description: 'How developers and resellers become partners.' },
  { name: 'deals', description: 'What resellers can sell: products, deals, and the serials they were given.' },
  { name: 'draws', description: 'Codes that a reseller’s shop hands out at the moment of sale.' },
  { name: 'accounts', description: 'Registration, signing in and passwords.' },
  { name: 'account', description: 'Settings, sessions, access tokens and two-factor sign-in.' },
  { name: 'plans', description: 'The plans and this month’s usage.' },
  { name: 'billing', description: 'What a month costs, the card that is charged, and what it was charged for.' },
  { name: 'admin', description: 'For those who run the server.' },
];
