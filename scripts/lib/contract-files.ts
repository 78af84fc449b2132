/** Where the contract is kept. */
export const contractFile = new URL('../../packages/sdk/openapi.json', import.meta.url);

/** What the contract of the last release promised, by `scripts/released.ts`. */
export const releasedFile = new URL('../../packages/sdk/released.json', import.meta.url);

/** What is not kept of that, each with what callers do about it. */
export const notesFile = new URL('../../packages/sdk/breaking-notes.json', import.meta.url);
