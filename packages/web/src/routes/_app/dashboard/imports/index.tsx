import { createFileRoute } from '@tanstack/react-router';
import { ImportsPage } from '#features/imports/imports-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/imports/')({
  beforeLoad: requireDeveloper,
  component: ImportsPage,
});
