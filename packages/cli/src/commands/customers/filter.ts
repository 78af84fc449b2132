import { RANGES } from '../../common-options.ts';
import { text } from '../../option-types.ts';

export const FILTER = {
  search: text('<text>', 'name, email or day'),
  range: text('<range>', 'all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', { values: RANGES, fallback: 'all' }),
};
