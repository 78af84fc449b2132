import { accountExamples } from './account-examples.ts';
import { customerExamples } from './customer-examples.ts';
import { drawExamples } from './draw-examples.ts';
import type { Example } from './example.ts';
import { licensingExamples } from './licensing-examples.ts';
import { partnerExamples } from './partner-examples.ts';
import { productExamples } from './product-examples.ts';
import { serialExamples } from './serial-examples.ts';
import { shopExamples } from './shop-examples.ts';

/** Examples by operation; `test/gates/contract.test.ts` holds them to their schemas. */
export const examples: Record<string, Example> = {
  ...productExamples,
  ...licensingExamples,
  ...serialExamples,
  ...drawExamples,
  ...accountExamples,
  ...partnerExamples,
  ...customerExamples,
  ...shopExamples,
};
