/** State of a request that the guard against guessing and the license lookup share. */
export interface Asker {
  /** The address has named too many licenses that do not exist: how it is refused, unless its machine has its seat. */
  guessed: Error | null;
  /** Set by the lookup: responses to a machine with a seat reveal nothing that its owner does not know. */
  isSeated: boolean;
  /** Counts what begins against the address. @throws {AppError} rate_limited */
  begins(what: 'trial' | 'device' | 'seat_code'): Promise<void>;
  /** Counts a license that does not exist, where the answer is the same for all. */
  guesses(): Promise<void>;
}

/** How a plugin shows who it is. */
export interface Credential {
  key: string;
  /** Some clients send it along with the key; then the two have to match. */
  developerId?: string;
}

/** A plugin that calls, known by its credential. */
export interface PluginCaller {
  developerId: string;
  /** The plugin key's id. */
  keyId: string;
  /** Only the caller with a test key may be answered `active` for a test serial. */
  isTest: boolean;
  asker: Asker | null;
}
