import { oneOf, or } from '#lib/navigation/search-params.ts';

/** The view that the preview of a brand shows. */
export const previewSearch = { view: or(oneOf(['download', 'email']), 'initial') };
