/** The letters of a terminal's code: the server's, without vowels. */
const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;

/** `bcdf ghjk` as the terminal shows it: `BCDF-GHJK`; null when it is no such code. */
export function terminalCode(typed: string): string | null {
  const plain = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  return CODE.test(plain) ? `${plain.slice(0, 4)}-${plain.slice(4)}` : null;
}
