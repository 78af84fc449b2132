const KEY = 'download_token';

// storage can be blocked: the page works without it, it only forgets
export function rememberedToken(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function rememberToken(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, token);
  } catch {
    // forgotten with the page
  }
}
