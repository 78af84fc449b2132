import { useNavigate, useRouter } from '@tanstack/react-router';
import { api } from '#lib/api.ts';
import { homeOf, storeSession } from '#lib/session/session.ts';
import { notify } from '#ui/toast.ts';
import { deviceToken, storeDeviceToken } from '../device.ts';

/**
 * Registering never reveals whether an address is taken, so the same credentials are tried: a new account is signed in at once. For
 * an existing account with another password, returns false; its owner gets an email.
 */
/** @param redirect where to go from there, such as back to an invitation. */
export function useSignInAfterRegister(redirect?: string) {
  const navigate = useNavigate();
  const router = useRouter();
  return async (email: string, password: string): Promise<boolean> => {
    try {
      const { token, user: account, device_token } = await api.login({ body: { email, password, ...deviceToken() } });
      storeDeviceToken(device_token);
      storeSession(token, account);
      notify.success('Registration successful!');
      if (redirect) router.history.push(redirect);
      else await navigate({ to: homeOf(account) });
      return true;
    } catch {
      return false;
    }
  };
}
