import { createFileRoute } from '@tanstack/react-router';
import { RegisterReseller } from '../../features/auth/register-reseller.tsx';
import { requireSignedOut } from '../../lib/guards.ts';

export const Route = createFileRoute('/reseller/register')({
  beforeLoad: requireSignedOut,
  component: RegisterReseller,
});
