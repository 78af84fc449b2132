import { hash } from 'node:crypto';

/** As long as a reference of a draw may be. */
const LONGEST = 200;

/**
 * The name of the draw that a unit of an order is handed out under: the shop, the order, its line and the unit's place, so that a repeat
 * gets the same code. What the shop calls them may be too long for a reference, or have control characters; then their hash is in it.
 * @param n the unit's place in its line
 */
export function drawReference(shopId: string, order: string, line: string, n: number): string {
  const plain = `${shopId}/${order}/${line}/${n}`;
  const fits = plain.length <= LONGEST && !/\p{Cc}/u.test(plain) && order.trim() === order && line.trim() === line;
  return fits ? plain : `${shopId}/${hash('sha256', JSON.stringify([order, line]), 'hex')}/${n}`;
}
