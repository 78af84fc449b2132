/** `open`: read and not yet run, in the assistant. A complete import can be taken back while nothing was built on it: then it is `undone`. */
export const importStates = ['open', 'running', 'complete', 'failed', 'undoing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];
