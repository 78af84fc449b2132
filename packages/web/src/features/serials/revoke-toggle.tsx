import { Button } from '../../ui/button.tsx';
import { useRevoke } from './use-revoke.ts';

interface RevokeToggleProps {
  serial: { id: string; code: string; revoked: boolean };
  compact?: boolean;
  size?: 'sm' | 'md';
}

export function RevokeToggle({ serial, compact = false, size = 'sm' }: RevokeToggleProps) {
  const toggle = useRevoke(serial);
  return (
    <Button
      size={size}
      variant={compact ? 'ghost' : 'secondary'}
      busy={toggle.isPending}
      onClick={() => toggle.mutate(!serial.revoked)}
      className={compact ? 'h-6 px-2' : 'min-w-[84px]'}
    >
      {serial.revoked ? 'Reassign' : 'Revoke'}
      <span className="sr-only"> {serial.code}</span>
    </Button>
  );
}
