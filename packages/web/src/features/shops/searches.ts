import { createShopKind } from '@tonerow/sdk/values';
import { flag, oneOf } from '#lib/navigation/search-params.ts';

// beside the screens and not in them: the routes need them before a screen is loaded
export const newShopSearch = { kind: oneOf(createShopKind) };
export const shopSearch = { unmapped: flag };
