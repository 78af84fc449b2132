/** Who is asking, in the order of the columns below. */
export const actors = [
  'anonymous',
  'developer',
  'reseller',
  'linkedReseller',
  'admin',
  'revokedSession',
  'expiredToken',
  'tokenWithoutScope',
  'pluginKey',
] as const;
export type Actor = (typeof actors)[number];

/** `ok`: the guard lets it through, whatever the route says then. Otherwise the status of the refusal. */
export type Outcome = 'ok' | 401 | 403;
type Row = readonly [Outcome, Outcome, Outcome, Outcome, Outcome, Outcome, Outcome, Outcome, Outcome];

const everybody: Row = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'];
const people: Row = [401, 'ok', 'ok', 'ok', 'ok', 401, 401, 403, 401];
const developers: Row = [401, 'ok', 403, 403, 'ok', 401, 401, 403, 401];
const plugins: Row = [401, 401, 401, 401, 401, 401, 401, 401, 'ok'];

/** One row an operation. A route without a row fails the test, and so does a row without a route. */
export const accessTable: Record<string, Row> = {
  registerDeveloper: everybody,
  registerReseller: everybody,
  login: everybody,
  forgotPassword: everybody,
  resetPassword: everybody,
  getMe: people,
  listSessions: people,
  revokeSession: people,
  updatePassword: people,
  deleteAccount: people,
  listAccessTokens: people,
  createAccessToken: people,
  deleteAccessToken: people,
  listResellers: developers,
  listProducts: developers,
  createProduct: developers,
  getProduct: developers,
  updateProduct: developers,
  publishProduct: developers,
  deleteProduct: developers,
  generateSerials: developers,
  listSerials: developers,
  listAvailableSerials: developers,
  listRedeemedSerials: developers,
  revokeSerial: developers,
  reassignSerial: developers,
  initiateRedemption: everybody,
  completeRedemption: everybody,
  listRedeemedProducts: everybody,
  downloadFile: everybody,
  listPluginKeys: developers,
  createPluginKey: developers,
  revealPluginKey: developers,
  deletePluginKey: developers,
  activateLicense: plugins,
  validateLicense: plugins,
  deactivateLicense: plugins,
  getLicenseKeys: everybody,
  // last, because it ends the sessions of those who may
  logout: people,
};
