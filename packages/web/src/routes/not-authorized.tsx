import { createFileRoute } from '@tanstack/react-router';
import { DeniedScreen } from './-error-screens.tsx';

export const Route = createFileRoute('/not-authorized')({ component: DeniedScreen });
