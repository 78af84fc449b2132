/** The release, as package.json has it. */
export const VERSION = '0.1.0';

/** The API that this release answers, by its day: of the contract, of the SDK, and of the header `Tonerow-Api-Version` (decision 0116). */
export const API_VERSION = '2026-11-28';

/** The versions whose callers are answered as they expect: a new one replaces those before it, unless it answers them too. */
export const ANSWERED_VERSIONS: readonly string[] = [API_VERSION];
