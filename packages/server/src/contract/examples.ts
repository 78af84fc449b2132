import { drawExamples } from './draw-examples.ts';
import { licensingExamples } from './licensing-examples.ts';
import { productExamples } from './product-examples.ts';
import { serialExamples } from './serial-examples.ts';

/** What an operation is sent and what it answers, by status. */
export interface Example {
  request?: unknown;
  answers: Record<string, unknown>;
}

/** Examples by operation; `test/gates/contract.test.ts` holds them to their schemas. */
export const examples: Record<string, Example> = {
  ...productExamples,
  ...licensingExamples,
  ...serialExamples,
  ...drawExamples,
};
