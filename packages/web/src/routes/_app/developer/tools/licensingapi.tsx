import { createFileRoute } from '@tanstack/react-router';
import { LicensingApi } from '../../../../features/keys/licensing-api.tsx';
import { requireDeveloper } from '../../../../lib/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/licensingapi')({
  beforeLoad: requireDeveloper,
  component: LicensingApi,
});
