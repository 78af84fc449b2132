/** What the guard against guessers and the look-up tell each other about a request. */
export interface Asker {
  /** The address has named too many licenses that do not exist: how it is refused, unless its machine has its seat. */
  guessed: Error | null;
  /** Set by the look-up. What a machine with a seat is told is no news to its owner. */
  isSeated: boolean;
}

/** How a plugin shows who it is. */
export interface Credential {
  key: string;
  /** Sent by some clients beside the key, and then it has to fit. */
  developerId?: string;
}

/** A plugin that calls, known by its credential. */
export interface PluginCaller {
  developerId: string;
  /** Only the caller with a test key may be answered `active` for a test serial. */
  isTest: boolean;
  asker: Asker | null;
}
