import { createFileRoute } from '@tanstack/react-router';
import { type DeliveryState, deliveryStates } from '#features/webhooks/delivery-states.ts';
import { WebhookPage } from '#features/webhooks/webhook-page.tsx';
import { choiceParam, textParam } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';

interface DeliveriesSearch {
  state?: DeliveryState | undefined;
  type?: string | undefined;
}

export const Route = createFileRoute('/_app/reseller/webhooks/$id/')({
  validateSearch: (search: Record<string, unknown>): DeliveriesSearch => ({
    state: choiceParam(search.state, deliveryStates),
    type: textParam(search.type),
  }),
  beforeLoad: requireReseller,
  component: EndpointScreen,
});

function EndpointScreen() {
  const { id } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <WebhookPage
      key={id}
      id={id}
      filter={Route.useSearch()}
      onFilter={(search) => navigate({ search, resetScroll: false })}
    />
  );
}
