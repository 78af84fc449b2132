/** Exit codes. Printed by `tonerow help exit-codes`. */
export const EXIT = {
  ok: 0,
  failure: 1,
  cancelled: 2,
  partial: 3,
  authentication: 4,
  limited: 5,
  pending: 8,
  usage: 64,
} as const;

/** The command line is not valid; the message explains how to write it. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The person canceled. */
export class CancelledError extends Error {
  override name = 'CancelledError';
  constructor() {
    super('Canceled.');
  }
}

/** Something has to be settled first; the message lists it. */
export class OpenQuestions extends CancelledError {
  constructor(message: string) {
    super();
    this.message = message;
  }
}

/** Some of several items failed, or what was tried or checked did; each was already reported. */
export class PartialError extends Error {
  override name = 'PartialError';
  /** The items that failed, if each of several was tried by itself. */
  readonly failures: readonly FailedItem[];

  constructor(message: string, failures: readonly FailedItem[] = []) {
    super(message);
    this.failures = failures;
  }
}

interface FailedItem {
  /** As it was given. */
  item: string;
  code: string;
  message: string;
}

/** The command waits for a person. The message explains what to do. */
export class PendingError extends Error {
  override name = 'PendingError';
}

/** A failure with a message for people and a code for scripts. */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: string;

  constructor(message: string, code = 'failure') {
    super(message);
    this.code = code;
  }
}

/** There is no credential, and no way to prompt for one. */
export class NotSignedIn extends Error {
  override name = 'NotSignedIn';
  /** Advises what to do about it. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
