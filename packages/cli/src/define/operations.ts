import { commands } from '#commands/index.ts';

/** The operations of the API that each command calls; a test compares them with the contract. */
export const operations: Record<string, readonly string[]> = Object.fromEntries(
  commands.map((command) => [command.path, command.operations]),
);
