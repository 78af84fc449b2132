import { AppError } from '../errors.ts';
import { holds, type Kind, type Principal, type Role, type Scope } from './access.ts';

/**
 * An access token needs one of these scopes to read a kind of data, in any call, export, live message or event. A kind of data
 * has one rule (decision 0092).
 */
export const kinds = {
  /** Names and addresses of customers. */
  people: { developer: ['customers:read'], reseller: ['sales:read'] },
  /** Codes of serials, whole: the last four characters are no secret. */
  codes: { developer: ['serials:read'], reseller: ['sales:read', 'stock:read'] },
} as const satisfies Record<Kind, Record<Role, readonly Scope[]>>;

export const kindNames = Object.keys(kinds) as Kind[];

export const mayRead = (caller: Principal, kind: Kind): boolean => holds(caller, kinds[kind][caller.role]);

/** The scopes that a caller lacks for data of a kind, in words. */
const missing = (caller: Principal, kind: Kind) => kinds[kind][caller.role].join(' or ');

/** @throws {AppError} insufficient_scope */
export function assertMayRead(caller: Principal, kind: Kind): void {
  if (!mayRead(caller, kind))
    throw new AppError('insufficient_scope', `The access token is missing the scope ${missing(caller, kind)}.`);
}

/** The kinds of data that are left out of answers to a caller. `shows`: those that the call itself makes or names. */
export const withheldFrom = (caller: Principal, shows: readonly Kind[] = []): Kind[] =>
  caller.scopes === null ? [] : kindNames.filter((kind) => !shows.includes(kind) && !mayRead(caller, kind));

/** Shows why fields and columns are empty: the kinds that were left out, each with the scope that is missing. */
export const WITHHELD_HEADER = 'x-tonerow-withheld';
export const withheldText = (caller: Principal, left: readonly Kind[]): string =>
  left.map((kind) => `${kind}; needs="${missing(caller, kind)}"`).join(', ');
