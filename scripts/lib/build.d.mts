/** Builds what is older than its sources. */
export function buildAll(node: string): Promise<void>;
