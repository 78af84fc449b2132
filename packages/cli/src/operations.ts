import { commands } from './commands/index.ts';

/** Which operations of the API each command stands for; a test compares it with the contract. */
export const operations: Record<string, readonly string[]> = Object.fromEntries(
  commands.map((command) => [command.path, command.operations]),
);
