import { createFileRoute } from '@tanstack/react-router';
import { ComingSoon } from '../../../features/coming-soon/coming-soon.tsx';

export const Route = createFileRoute('/_app/admin/billing')({ component: () => <ComingSoon page="logs" /> });
