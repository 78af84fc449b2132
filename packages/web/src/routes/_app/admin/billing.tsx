import { createFileRoute } from '@tanstack/react-router';
import { Soon } from '../../../features/later/soon.tsx';

export const Route = createFileRoute('/_app/admin/billing')({ component: () => <Soon page="logs" /> });
