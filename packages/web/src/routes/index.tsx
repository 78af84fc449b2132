import { createFileRoute, redirect } from '@tanstack/react-router';
import { getAccount, getToken, homeOf } from '#lib/session/session.ts';

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    throw redirect({ to: getToken() ? homeOf(getAccount()) : '/login' });
  },
});
