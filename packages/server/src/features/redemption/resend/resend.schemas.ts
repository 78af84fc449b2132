import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';

export const ResentEmail = z
  .object({ email: dataOf('people', z.string().nullable().describe('Where it was sent.')) })
  .meta({ id: 'ResentEmail' });
