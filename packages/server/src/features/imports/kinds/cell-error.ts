/** A cell that cannot be taken, with the reason a person reads in the report. */
export class CellError extends Error {
  override name = 'CellError';
}
