/**
 * The cache keys of all queries. A key includes those that start with it: refreshing `keys.serials.all` refreshes
 * `keys.serials.one(id)` too.
 */
export const keys = {
  me: { all: ['me'], plan: ['me', 'plan'], usage: ['me', 'usage'] },
  plans: ['plans'],
  billing: {
    all: ['billing'],
    config: ['billing', 'config'],
    card: ['billing', 'card'],
    cardSetup: ['billing', 'card-setup'],
    status: ['billing', 'status'],
    /** What changes with every redemption. */
    usage: ['billing', 'usage'],
    current: ['billing', 'usage', 'current'],
    period: (from: string, to: string) => ['billing', 'usage', 'period', from, to],
    history: ['billing', 'usage', 'history'],
    invoices: ['billing', 'invoices'],
    invoiceList: (filter: object) => ['billing', 'invoices', 'list', filter],
    invoice: (id: string) => ['billing', 'invoices', 'one', id],
  },
  settings: ['account-settings'],
  firstSteps: ['first-steps'],
  sessions: ['sessions'],
  deletion: ['account-deletion'],
  accessTokens: ['access-tokens'],
  webhooks: {
    all: ['webhooks'],
    list: ['webhooks', 'list'],
    one: (id: string) => ['webhooks', 'one', id],
    deliveries: (id: string, state: string | undefined, type: string | undefined) => [
      'webhooks',
      'deliveries',
      id,
      state,
      type,
    ],
    delivery: (id: string) => ['webhooks', 'delivery', id],
    types: ['webhook-event-types'],
  },
  twoFactor: ['two-factor'],

  products: {
    all: ['products'],
    lists: ['products', 'list'],
    list: (search: string) => ['products', 'list', search],
    one: (id: string) => ['products', 'one', id],
    rsa: (id: string | undefined) => ['products', 'rsa', id],
  },
  files: { one: (id: string) => ['files', id], unfinished: ['files', 'unfinished'] },
  pluginKeys: ['plugin-keys'],
  snippet: (name: string) => ['snippets', name],
  resellers: {
    all: ['resellers'],
    list: (past: boolean, search: string) => ['resellers', 'list', past, search],
    found: (search: string) => ['resellers', 'found', search],
    every: ['resellers', 'every'],
    one: (id: string) => ['resellers', 'one', id],
    stock: (id: string) => ['resellers', 'stock', id],
  },
  catalog: {
    all: ['catalog'],
    products: (filter: object) => ['catalog', 'products', filter],
    deals: (filter: object, state: string | undefined) => ['catalog', 'deals', filter, state],
    choices: (search: string) => ['catalog', 'choices', search],
    one: (id: string, deal: string | undefined) => ['catalog', 'one', id, deal],
    available: (id: string, deal: string | undefined, search: string) => ['catalog', 'available', id, deal, search],
    redeemed: (id: string, deal: string | undefined, search: string) => ['catalog', 'redeemed', id, deal, search],
  },
  partners: {
    all: ['partners'],
    list: (past: boolean, search: string) => ['partners', 'list', past, search],
    every: ['partners', 'every'],
    one: (id: string) => ['partners', 'one', id],
    stock: (id: string) => ['partners', 'stock', id],
  },
  dealRequests: {
    all: ['deal-requests'],
    own: ['deal-requests', 'own'],
    answers: ['deal-requests', 'answers'],
    pending: ['deal-requests', 'pending'],
    pendingPages: ['deal-requests', 'pending-pages'],
    one: (id: string) => ['deal-requests', 'one', id],
  },
  sales: {
    all: ['sales'],
    dashboard: ['sales', 'dashboard'],
    summary: (days: number) => ['sales', 'summary', days],
    graph: (days: number) => ['sales', 'graph', days],
    byDeveloper: (days: number) => ['sales', 'by-developer', days],
    history: ['sales', 'history'],
    transactions: (filter: object, page: number) => ['sales', 'transactions', filter, page],
    customers: (filter: object, page: number) => ['sales', 'customers', filter, page],
  },
  draws: {
    all: ['draws'],
    list: (filter: object) => ['draws', 'list', filter],
    one: (reference: string) => ['draws', 'one', reference],
  },
  circulation: { all: ['circulation'], of: (resellerId: string) => ['circulation', resellerId] },
  stockDownloads: { all: ['stock-downloads'], of: (of: object) => ['stock-downloads', of] },
  payouts: {
    all: ['payouts'],
    list: (side: string, status: string | undefined) => ['payouts', 'list', side, status],
    one: (side: string, id: string) => ['payouts', 'one', side, id],
    balances: ['payouts', 'balances'],
    whatIf: (resellerId: string, query: object) => ['payouts', 'what-if', resellerId, query],
  },
  invites: { all: ['invites'], received: ['invites', 'received'], sent: ['invites', 'sent'] },

  serials: {
    all: ['serials'],
    ones: ['serials', 'one'],
    one: (id: string) => ['serials', 'one', id],
    available: ['serials', 'available'],
    availableList: (filter: object) => ['serials', 'available', filter],
    groups: ['serials', 'group'],
    group: (kind: string, productId: string, name: string) => ['serials', 'group', kind, productId, name],
    batchLists: ['serials', 'batches'],
    batchList: (search: string, cursor: string | undefined) => ['serials', 'batches', search, cursor],
    batches: ['serials', 'batch'],
    batch: (id: string) => ['serials', 'batch', id],
    revokePreview: (batchId: string) => ['serials', 'revoke-check', batchId],
    deletePreview: (kind: string, productId: string, name: string) => [
      'serials',
      'delete-check',
      kind,
      productId,
      name,
    ],
  },
  /**
   * Not among the other serials, which every redemption refreshes: when rows move under the pointer, the wrong serial gets
   * revoked.
   */
  redeemed: {
    all: ['redeemed-serials'],
    lists: ['redeemed-serials', 'list'],
    list: (filter: object, page: number, sort: string) => ['redeemed-serials', 'list', filter, page, sort],
    allChoices: ['redeemed-serials', 'choices'],
    choices: (filter: object) => ['redeemed-serials', 'choices', filter],
    preview: (action: string | null, filter: object) => ['redeemed-serials', 'preview', action, filter],
  },

  customers: {
    all: ['customers'],
    list: (filter: object, page: number, sort: string) => ['customers', 'list', filter, page, sort],
    choices: (filter: object) => ['customers', 'choices', filter],
    ones: ['customers', 'one'],
    one: (id: string) => ['customers', 'one', id],
  },
  /** What erasing a customer would do. Not among the customers: after erasing one there is nothing to preview. */
  erasurePreviews: ['erasure-preview'],
  erasurePreview: (id: string) => ['erasure-preview', id],

  analytics: {
    all: ['analytics'],
    period: (from: string, to: string) => ['analytics', 'period', from, to],
    geo: ['analytics', 'geo'],
    machinesOfAll: ['analytics', 'machines'],
    machines: (product: string) => ['analytics', 'machines', product],
  },
  refusals: (status: string | undefined, product: string) => ['refusals', status, product],
  search: (text: string) => ['search', text],

  branding: ['branding'],
  domainStatus: (domain: string) => ['domain-status', domain],

  admin: {
    all: ['admin'],
    emails: (state: string | undefined, cursor: string | undefined) => ['admin', 'emails', state, cursor],
    announcements: (cursor: string | undefined) => ['admin', 'announcements', cursor],
    billing: ['admin', 'billing'],
    billingLogs: (filter: object, page: number) => ['admin', 'billing', 'logs', filter, page],
    billingStory: (id: string) => ['admin', 'billing', 'story', id],
    billingDifferences: (page: number) => ['admin', 'billing', 'differences', page],
  },
} as const;
