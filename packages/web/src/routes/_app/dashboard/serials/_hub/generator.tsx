import { createFileRoute } from '@tanstack/react-router';
import { Generator } from '#features/serials/generate/generator.tsx';
import { id, searchSchema, text } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/_app/dashboard/serials/_hub/generator')({
  // the product that a link was made for, and the reseller's request that the generated batch accepts
  ...searchSchema({ product: text, deal_request: id }),
  component: GeneratorScreen,
});

function GeneratorScreen() {
  const { product, deal_request: dealRequest } = Route.useSearch();
  return <Generator key={dealRequest ?? ''} productId={product} dealRequestId={dealRequest} />;
}
