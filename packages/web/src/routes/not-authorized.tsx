import { createFileRoute } from '@tanstack/react-router';
import { DeniedScreen } from './-lost.tsx';

export const Route = createFileRoute('/not-authorized')({ component: DeniedScreen });
