import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api.ts';
import { clearSession } from './session.ts';

export function useLogout() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return async () => {
    // A lost connection must not keep the person signed in here.
    await api.logout(undefined, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    clearSession();
    queryClient.clear();
    await navigate({ to: '/login' });
  };
}
