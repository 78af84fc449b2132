interface Forgery {
  what: string;
  /** Describes what a good plugin does. */
  plugin: string;
}

const NOT_BY_TOKENS =
  'The plugin must not unlock with these tokens. Key files pass unchanged: "forged" changes those, too.';

/** Every forgery, and what it means. */
export const forgeries = {
  forged: {
    what: 'the real token, key file or time with a changed signature',
    plugin: 'The plugin must not unlock with these responses.',
  },
  'other-token': { what: 'the token from --token-file', plugin: NOT_BY_TOKENS },
  expired: {
    what: 'a token signed by you that expired an hour ago; needs a test plugin key',
    plugin: NOT_BY_TOKENS,
  },
  'wrong-product': {
    what: 'a token signed by you for another product; needs a test plugin key',
    plugin: NOT_BY_TOKENS,
  },
  replay: {
    what: 'the first response of each URL, repeated',
    plugin:
      'The first response of each URL is real, so the plugin may unlock with it. A plugin that sends a nonce must ignore each repeat: unlocked stays unlocked, and locked stays locked.',
  },
  'always-yes': {
    what: '"active", without a token or a key file',
    plugin: 'The plugin must not unlock with these responses, nor forget a license that it has.',
  },
  error: {
    what: 'a server error (500)',
    plugin: 'The plugin must stay as it is: unlocked until its offline days end, or locked with an explanation.',
  },
  slow: {
    what: 'the real response, delayed by a minute',
    plugin:
      'The plugin must not freeze while it waits, and must stay as it is: unlocked until its offline days end, or locked. It may unlock when the response arrives.',
  },
  offline: {
    what: 'no response: the connection is dropped',
    plugin: 'The plugin must stay as it is: unlocked until its offline days end, or locked with an explanation.',
  },
} as const satisfies Record<string, Forgery>;

export type ForgeryName = keyof typeof forgeries;

export function isForgery(name: string): name is ForgeryName {
  return Object.hasOwn(forgeries, name);
}
