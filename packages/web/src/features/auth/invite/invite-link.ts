export interface InviteLink {
  email: string;
  role: 'developer' | 'reseller';
}

/** What the token of an invitation shows about itself. Only the server can check it; this fills in a form. */
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
