import { createFileRoute } from '@tanstack/react-router';
import { Shell } from '../features/shell/shell.tsx';
import { requireSession } from '../lib/guards.ts';

export const Route = createFileRoute('/_app')({ beforeLoad: requireSession, component: Shell });
