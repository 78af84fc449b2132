/** What the shell sees. Printed by `tonerow help exit-codes`. */
export const EXIT = { ok: 0, failure: 1, cancelled: 2, partial: 3, authentication: 4, limited: 5, usage: 64 } as const;

/** The call was written wrongly; the message says how to write it. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The person changed their mind. */
export class CancelledError extends Error {
  override name = 'CancelledError';
  constructor() {
    super('Canceled.');
  }
}

/** Some of several things failed; which ones was said already. */
export class PartialError extends Error {
  override name = 'PartialError';
}

/** A plain failure with a message for people, and a word for scripts. */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: string;

  constructor(message: string, code = 'failure') {
    super(message);
    this.code = code;
  }
}

/** No credential, and nowhere to ask for one. */
export class NotSignedIn extends Error {
  override name = 'NotSignedIn';
}
