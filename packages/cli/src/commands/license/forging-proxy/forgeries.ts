/** Every forgery, and what it means. */
export const forgeries = {
  forged: 'the real token with a changed signature',
  'other-token': 'the token from --token-file',
  expired: 'a token signed by you that expired an hour ago; needs a test plugin key',
  'wrong-product': 'a token signed by you for another product; needs a test plugin key',
  replay: 'the first response of each URL, repeated',
  'always-yes': '"active", without a token',
  error: 'a server error (500)',
  slow: 'the real response, delayed by a minute',
  offline: 'no response: the connection is dropped',
} as const;
