const KEY = 'device_token';

/**
 * The device token from an earlier sign-in: it distinguishes this browser from strangers who guess passwords, and grants
 * nothing. It stays after logging out.
 */
export function deviceToken(): { device_token?: string } {
  const token = localStorage.getItem(KEY);
  return token ? { device_token: token } : {};
}

export function storeDeviceToken(token: string) {
  localStorage.setItem(KEY, token);
}
