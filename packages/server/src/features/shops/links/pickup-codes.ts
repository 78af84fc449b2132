import { CodeMaker } from '#features/serials';
import type { Random } from '#platform/random.ts';

const PREFIX = 'ORDR';
const SHAPE = /^ORDR([2-9A-HJ-NP-Z]{4})([2-9A-HJ-NP-Z]{4})([2-9A-HJ-NP-Z]{4})$/;

/** A code that a seller gives a customer whose order has no address: 60 bits, that nobody guesses. */
export const newPickupCode = (random: Random): string => new CodeMaker(random, PREFIX).next();

/** Such a code as it is kept, however it was typed; null: it is something else. */
export function pickupCodeIn(typed: string): string | null {
  const found = SHAPE.exec(typed.toUpperCase().replace(/[^A-Z0-9]/g, ''));
  return found && [PREFIX, ...found.slice(1)].join('-');
}
