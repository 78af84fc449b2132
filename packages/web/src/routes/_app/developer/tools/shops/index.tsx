import { createFileRoute } from '@tanstack/react-router';
import { ShopsPage } from '#features/shops/list/shops-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/shops/')({
  beforeLoad: requireDeveloper,
  component: ShopsPage,
});
