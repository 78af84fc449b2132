import { createFileRoute } from '@tanstack/react-router';
import { listEmailsState } from '@tonerow/sdk/values';
import { Emails } from '#features/admin/emails.tsx';
import { oneOf, page, searchSchema, text } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';

export const Route = createFileRoute('/_app/admin/emails')({
  ...searchSchema({ state: oneOf(listEmailsState), page, cursor: text }),
  component: EmailsScreen,
});

function EmailsScreen() {
  const [{ state, ...place }, change] = useSearchState(Route);
  return <Emails state={state} place={place} onPlace={(next) => change(next, { resetScroll: true })} />;
}
