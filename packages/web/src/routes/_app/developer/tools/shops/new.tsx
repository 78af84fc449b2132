import { createFileRoute } from '@tanstack/react-router';
import { NewShopPage } from '#features/shops/connect/new-shop-page.tsx';
import { newShopSearch } from '#features/shops/searches.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/shops/new')({
  ...searchSchema(newShopSearch),
  beforeLoad: requireDeveloper,
  component: NewShopScreen,
});

function NewShopScreen() {
  const { kind } = Route.useSearch();
  // another kind begins anew
  return <NewShopPage key={kind} kind={kind} />;
}
