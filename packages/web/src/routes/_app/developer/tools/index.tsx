import { createFileRoute } from '@tanstack/react-router';
import { Tools } from '#features/keys/tools.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/')({ beforeLoad: requireDeveloper, component: Tools });
