/** Every lie, and what it means. */
export const lies = {
  forged: 'the token, with its signature changed',
  'other-token': 'the token of --token-file instead',
  expired: 'a token that you signed and that ended an hour ago; needs a plugin key for tests',
  'wrong-product': 'a token that you signed for another product; needs a plugin key for tests',
  replay: 'what each address answered first, over and over',
  'always-yes': '"active", without a token',
  error: 'the server fails (500)',
  slow: 'the truth, a minute late',
  offline: 'no answer: the connection breaks',
} as const;
