import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failed } from '#ui/states.tsx';

/** Takes the place of a screen that threw. */
export function Broken({ error, reset }: ErrorComponentProps) {
  return <Failed heading="h1" title="This screen stopped working" error={error} retry={reset} />;
}
