import { createFileRoute } from '@tanstack/react-router';
import { EmailLog } from '#features/logs/email-log.tsx';
import { emailSearch } from '#features/logs/searches.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/customers/emails')({
  ...searchSchema(emailSearch),
  beforeLoad: requireDeveloper,
  component: EmailLog,
});
