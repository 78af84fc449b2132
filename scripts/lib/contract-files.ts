/** The file of the contract. */
export const contractFile = new URL('../../packages/sdk/openapi.json', import.meta.url);

/** The promises of the contract of the last release, by `scripts/released.ts`. */
export const releasedFile = new URL('../../packages/sdk/released.json', import.meta.url);

/** The promises that are not kept, each with what callers do about it. */
export const notesFile = new URL('../../packages/sdk/breaking-notes.json', import.meta.url);
