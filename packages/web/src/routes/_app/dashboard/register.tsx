import { createFileRoute } from '@tanstack/react-router';
import { RegisterTab } from '#features/shell/register-tab.tsx';

export const Route = createFileRoute('/_app/dashboard/register')({ component: RegisterTab });
