const KEY = 'device_token';

/**
 * What an earlier sign-in in this browser answered: it tells the browser from strangers who guess passwords, and opens
 * nothing. It stays after logging out.
 */
export function deviceToken(): { device_token?: string } {
  const token = localStorage.getItem(KEY);
  return token ? { device_token: token } : {};
}

export function storeDeviceToken(token: string) {
  localStorage.setItem(KEY, token);
}
