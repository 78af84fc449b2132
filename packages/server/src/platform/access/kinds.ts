import { AppError } from '../errors.ts';
import { holds, type Principal, type Role, type Scope } from './access.ts';

/**
 * What an access token needs in order to be told something, whichever call or event would tell it. A kind of data has one rule.
 */
export const kinds = {
  /** Names and addresses of customers. */
  people: { developer: 'customers:read', reseller: 'sales:read' },
  /** Codes of serials. */
  codes: { developer: 'serials:read', reseller: 'sales:read' },
} as const satisfies Record<string, Record<Role, Scope>>;

type Kind = keyof typeof kinds;

export const mayRead = (caller: Principal, kind: Kind): boolean => holds(caller, kinds[kind][caller.role]);

/** @throws {AppError} insufficient_scope */
export function assertMayRead(caller: Principal, kind: Kind): void {
  if (!mayRead(caller, kind))
    throw new AppError('insufficient_scope', `The access token is missing the scope ${kinds[kind][caller.role]}.`);
}
