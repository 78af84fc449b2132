import { nameOf, nameOrClosed } from './account-name.ts';
import { tables } from './tables.ts';

/** {@link nameOf} for features whose statements are text. */
export const accountName = (alias: string): string => tables.text(nameOf(alias));

/** {@link nameOrClosed} for features whose statements are text. */
export const accountNameOrClosed = (alias: string): string => tables.text(nameOrClosed(alias));
