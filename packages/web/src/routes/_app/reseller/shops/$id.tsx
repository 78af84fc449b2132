import { createFileRoute } from '@tanstack/react-router';
import { shopSearch } from '#features/shops/searches.ts';
import { ShopScreen } from '#features/shops/shop-page.tsx';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/shops/$id')({
  ...searchSchema(shopSearch),
  beforeLoad: requireReseller,
  component: ShopScreen,
});
