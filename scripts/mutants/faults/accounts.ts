import { features as F, type Mutant } from '../mutant.ts';

const [T, D] = [`${F}/accounts/trusts`, `${F}/accounts/device-sign-in`];

/** Jobs that are trusted, and terminals that sign in by a code. */
export const accounts: readonly Mutant[] = [
  {
    fault: 'a token that is also for another server is accepted',
    file: `${T}/identity-token.ts`,
    from: 'audiences.length !== 1 || audiences[0] !== audience',
    to: '!audiences.includes(audience)',
    tests: [`${T}/lying-issuers.routes.test.ts`],
  },
  {
    fault: 'a job that strangers can start is trusted',
    file: `${T}/identity-token.ts`,
    from: 'if (BY_STRANGERS.includes(claims.event_name))',
    to: "if (branch !== null && claims.event_name === 'pull_request_target')",
    tests: [`${T}/lying-issuers.routes.test.ts`],
  },
  {
    fault: 'a token without a repository fits every trust',
    file: `${T}/identity-token.ts`,
    from: 'if (idOf(claims.repository_id) !== repository_id)',
    to: 'if (claims.repository_id !== undefined && idOf(claims.repository_id) !== repository_id)',
    tests: [`${T}/lying-issuers.routes.test.ts`],
  },
  {
    fault: 'a job without an environment fits a trust that names one',
    file: `${T}/identity-token.ts`,
    from: 'if (environment === null || claims.environment === environment) return null;',
    to: 'if (environment === null || claims.environment === undefined || claims.environment === environment) return null;',
    tests: [`${T}/exchange.routes.test.ts`],
  },
  {
    fault: 'an identity token is exchanged as often as somebody likes',
    file: `${T}/exchanges.service.ts`,
    from: 'if (spent.numInsertedOrUpdatedRows !== 1n)',
    to: 'if (claims.jti === undefined)',
    tests: [`${T}/exchange.routes.test.ts`],
  },
  {
    fault: 'a token chooses the algorithm of its key',
    file: `${T}/exchanges.service.ts`,
    from: 'if (key?.algorithm !== algorithm)',
    to: 'if (!key)',
    tests: [`${T}/lying-issuers.routes.test.ts`],
  },
  {
    fault: 'an issuer’s keys are read from another host',
    file: `${T}/issuer-keys.ts`,
    from: 'new URL(address).origin !== new URL(issuer).origin',
    to: 'false',
    tests: [`${T}/lying-issuers.routes.test.ts`],
  },
  {
    fault: 'a changed trust is not reported to its owner',
    file: `${T}/trusts.service.ts`,
    from: '      await emailQueue.queue(tx, trustChangedEmail(occasion, name, where));\n',
    to: '',
    tests: [`${T}/trusts.routes.test.ts`],
  },
  {
    fault: 'codes of terminals can be guessed without an end',
    file: `${D}/device-sign-ins.service.ts`,
    from: 'await limits.take(policies.user_codes, caller.accountId);',
    to: 'await Promise.resolve(policies.user_codes);',
    tests: [`${D}/device-sign-in.routes.test.ts`],
  },
  {
    fault: 'somebody else sees which terminal an account has confirmed',
    file: `${D}/device-sign-ins.queries.ts`,
    from: "eb.or([eb('state', '=', 'pending'), eb('session_id', '=', sessionId)])",
    to: "eb.or([eb('state', '=', 'pending'), eb('session_id', 'is not', null)])",
    tests: [`${D}/device-sign-in.routes.test.ts`],
  },
  {
    fault: 'a code that has expired is not reported as over',
    file: `${D}/device-sign-ins.service.ts`,
    from: "if (polled.state === 'expired') throw",
    to: "if (polled.early && polled.state === 'expired') throw",
    tests: [`${D}/device-sign-in.routes.test.ts`],
  },
  {
    fault: 'a page on the web starts a sign-in from its visitor’s network',
    file: `${D}/device-sign-in.routes.ts`,
    from: "config: { access: { as: 'public' }, cors: false, rateLimit: limits.device_sign_ins, oauth: true },",
    to: "config: { access: { as: 'public' }, rateLimit: limits.device_sign_ins, oauth: true },",
    tests: [`${D}/device-sign-in.routes.test.ts`],
  },
];
