import { createFileRoute } from '@tanstack/react-router';
import { shopSearch } from '#features/shops/searches.ts';
import { ShopScreen } from '#features/shops/shop-page.tsx';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/shops/$id')({
  ...searchSchema(shopSearch),
  beforeLoad: requireDeveloper,
  component: ShopScreen,
});
