import { oneOf, or } from '#lib/navigation/search-params.ts';

/** What the preview of a brand shows. */
export const previewSearch = { view: or(oneOf(['download', 'email']), 'initial') };
