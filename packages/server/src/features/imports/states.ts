/** `open`: read and not yet run, in the assistant; `checking`: a large file, tried as a job. A complete import can be taken back while nothing was built on it: then it is `undone`. */
export const importStates = ['open', 'checking', 'running', 'complete', 'failed', 'undoing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

/** While the file of an import is read. */
export const READ_STATES: readonly ImportState[] = ['checking', 'running'];
