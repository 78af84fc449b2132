import { q } from './operation.ts';

/** One serial with its owner, machines, refunds and history. */
export const serialQuery = (id: string) => q('getSerial', { path: { id } });
