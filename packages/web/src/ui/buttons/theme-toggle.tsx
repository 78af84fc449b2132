import { Moon, Sun } from 'lucide-react';
import { useTheme } from '#lib/theme.ts';
import { IconButton } from '../button.tsx';

export function ThemeToggle({ className }: { className?: string }) {
  const { theme, toggle } = useTheme();
  const label = theme === 'dark' ? 'Use the light theme' : 'Use the dark theme';
  return (
    <IconButton label={label} onClick={toggle} className={className}>
      {theme === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  );
}
