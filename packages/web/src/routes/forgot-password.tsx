import { createFileRoute } from '@tanstack/react-router';
import { ForgotPassword } from '#features/auth/forgot-password.tsx';

export const Route = createFileRoute('/forgot-password')({ component: ForgotPassword });
