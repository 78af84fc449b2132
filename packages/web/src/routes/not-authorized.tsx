import { createFileRoute } from '@tanstack/react-router';
import { NotAuthorized } from '../features/public/not-authorized.tsx';

export const Route = createFileRoute('/not-authorized')({ component: NotAuthorized });
