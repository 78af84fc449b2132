import type { Base } from '#platform/feature.ts';
import { mediaRoutes } from './media.routes.ts';
import { Media } from './media.service.ts';

export { imageForms } from './media.routes.ts';
export type { Media } from './media.service.ts';

export const media = {
  create(base: Base) {
    const media = new Media(base);
    return { api: { media }, routes: [mediaRoutes(media)] };
  },
};
