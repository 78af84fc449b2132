import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_app/products/')({
  beforeLoad: () => {
    throw redirect({ to: '/products/add', replace: true });
  },
});
