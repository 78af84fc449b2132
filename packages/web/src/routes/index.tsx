import { createFileRoute, redirect } from '@tanstack/react-router';
import { getToken, getUser, homeOf } from '#lib/session/session.ts';

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    throw redirect({ to: getToken() ? homeOf(getUser()) : '/login' });
  },
});
