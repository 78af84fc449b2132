export interface Mutant {
  /** The error that this code would be. */
  fault: string;
  file: string;
  /** Must occur exactly once. */
  from: string;
  to: string;
  /** The test files of which at least one has to fail. */
  tests: string[];
}

export const features = 'packages/server/src/features';
export const platform = 'packages/server/src/platform';
