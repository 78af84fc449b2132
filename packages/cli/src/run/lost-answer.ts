/** Added to the message of a failure that may have happened after the work was done. */
export interface LostAnswer {
  key: string;
  /** The option to add to the same command. */
  again: string;
}

/** A failure after which it is unknown whether the work was done. */
export class LostAnswerError extends Error {
  readonly lost: LostAnswer;

  constructor(cause: unknown, lost: LostAnswer) {
    super('The response was lost.', { cause });
    this.lost = lost;
  }
}
