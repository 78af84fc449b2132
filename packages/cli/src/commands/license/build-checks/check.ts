export type Result = 'pass' | 'fail' | 'not_run';

/** The result of a check, with the finding in words. */
export type Finding = readonly [result: Result, found: string];

/** One check of a developer's own build. */
export interface BuildCheck {
  /** Its number in the list of checks of `packages/plugin/README.md`, where it has one. */
  check: number | null;
  what: string;
  /** The advice if it fails or could not be run. */
  advice: string;
  run: () => Finding | Promise<Finding>;
}

export const pass = (found: string): Finding => ['pass', found];
export const fail = (found: string): Finding => ['fail', found];
export const notRun = (found: string): Finding => ['not_run', found];

/** Passes when the condition holds. */
export const so = (isSo: boolean, found: string): Finding => (isSo ? pass(found) : fail(found));
