import { useNavigate } from '@tanstack/react-router';

/** Leads to where serials are made. */
export function useGenerator() {
  const navigate = useNavigate();
  return () => {
    navigate({ to: '/dashboard/serials/generator' });
  };
}
