import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';

interface ExportButtonProps {
  children: ReactNode;
  busy?: boolean;
  disabled?: boolean;
  title?: string;
  onClick?: () => void;
  size?: 'sm';
}

export function ExportButton({ children, busy, onClick, disabled, title, size }: ExportButtonProps) {
  return (
    <Button size={size ?? 'md'} onClick={onClick} busy={busy ?? false} disabled={disabled} title={title}>
      <Download className="-ml-0.5 size-4" aria-hidden />
      {children}
    </Button>
  );
}
