import { createFileRoute, redirect } from '@tanstack/react-router';

/** Another address of the same page. */
export const Route = createFileRoute('/_app/dashboard/serials/batches/$batchId')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/dashboard/batches/$batchId', params, replace: true });
  },
});
