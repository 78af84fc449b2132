import { createFileRoute } from '@tanstack/react-router';
import { Settings } from '#features/settings/settings.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/settings')({ beforeLoad: requireReseller, component: Settings });
