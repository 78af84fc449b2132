import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { freshAccount } from '#lib/navigation/hub-tab.ts';

/** For admins only; the server decides either way. */
export async function requireAdmin({ context }: { context: { queryClient: QueryClient } }) {
  if (!(await freshAccount(context.queryClient)).is_admin) throw redirect({ to: '/not-authorized' });
}
