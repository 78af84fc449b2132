import { expect, it } from 'vitest';
import { answerOf } from './use-import.ts';

const answers = { decimal: null, date_order: null, price: null, date: null, ends: null };

it('puts an answer where the server has a place for it, and all else as the value of all lines', () => {
  expect(answerOf({ answers }, 'decimal', 'comma')).toEqual({ answers: { decimal: 'comma' } });
  expect(answerOf({ answers }, 'date', null)).toEqual({ answers: { date: null } });
  expect(answerOf({ answers }, 'Product', 'Chorus')).toEqual({ values: { Product: 'Chorus' } });
});
