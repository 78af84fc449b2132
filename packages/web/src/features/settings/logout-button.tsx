import { useState } from 'react';
import { useLogout } from '#lib/session/use-logout.ts';
import { Button } from '#ui/button.tsx';

export function LogoutButton() {
  const logout = useLogout();
  const [busy, setBusy] = useState(false);
  return (
    <Button
      busy={busy}
      onClick={() => {
        setBusy(true);
        logout();
      }}
    >
      Logout
    </Button>
  );
}
