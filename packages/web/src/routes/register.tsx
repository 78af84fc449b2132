import { createFileRoute } from '@tanstack/react-router';
import { RegisterDeveloper } from '../features/auth/register-developer.tsx';
import { requireSignedOut } from '../lib/guards.ts';

export const Route = createFileRoute('/register')({ beforeLoad: requireSignedOut, component: RegisterDeveloper });
