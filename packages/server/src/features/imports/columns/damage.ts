import { CellError } from '../kinds/cell-error.ts';

/** Error values that a spreadsheet shows in place of a value, in its languages. */
const ERRORS =
  /^#(?:NAME\?|REF!|VALUE!|N\/A|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|ERROR!|GETTING_DATA|#+|BEZUG!|WERT!|NV|ZAHL!|NOM\s?\?|VALEUR!|NOMBRE!|NUL!|¿NOMBRE\?|¡REF!|¡VALOR!|¡NUM!|¡DIV\/0!|¡NULO!|NOME\?|RIF!|VALORE!|N\/D)$/iu;
const EXPONENT = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{2,3}$/i;
const FORMULA = /^=[^"]/;

/**
 * Refuses what a spreadsheet made of a cell that was something else before.
 * @param exact the cell is a text whose every character counts, such as a code
 * @throws {CellError} with what happened to it
 */
export function refuseDamage(text: string, column: string, exact: boolean): void {
  const first = text.charCodeAt(0);
  // #
  if (first === 0x23 && ERRORS.test(text)) {
    throw new CellError(
      `${column} is the error ${text.slice(0, 20)} of a spreadsheet: the value was lost before the file was saved.`,
    );
  }
  if (!exact) return;
  if (EXPONENT.test(text)) {
    throw new CellError(
      `${column} is the number ${text}: a spreadsheet shortened it, and the digits are lost. Format the column as text before opening the original.`,
    );
  }
  // =
  if (first === 0x3d && FORMULA.test(text)) {
    throw new CellError(`${column} is a formula of a spreadsheet. Save its values, and try again.`);
  }
}
