import { createFileRoute } from '@tanstack/react-router';
import { requireAdmin } from '#features/admin/guard.ts';

export const Route = createFileRoute('/_app/admin')({ beforeLoad: requireAdmin });
