export interface InviteLink {
  email: string;
  role: 'developer' | 'reseller';
}

/** The facts in the token of an invitation. They fill in a form; only the server can check the token. */
export function readInviteLink(token = ''): InviteLink | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (sign) => sign.charCodeAt(0));
    const { email, role } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<InviteLink>;
    return email && (role === 'developer' || role === 'reseller') ? { email, role } : null;
  } catch {
    return null;
  }
}
