import { createFileRoute } from '@tanstack/react-router';
import { ShopsPage } from '#features/shops/list/shops-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/shops/')({
  beforeLoad: requireReseller,
  component: ShopsPage,
});
