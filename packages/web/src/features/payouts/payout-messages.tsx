import type { PayoutDetail } from '#lib/types.ts';
import { TimeAgo } from '#ui/time-ago.tsx';

type Message = PayoutDetail['messages'][number];

function words({ kind, by }: Message, { developer_name, reseller_name }: PayoutDetail): string {
  if (by === 'silence') return 'Confirmed, because 14 days passed without a dispute';
  const who = by === 'developer' ? developer_name : reseller_name;
  const did = { confirm: 'confirmed the statement', dispute: 'disputed the statement', answer: 'answered' };
  return `${who} ${did[kind]}`;
}

export function PayoutMessages({ payout }: { payout: PayoutDetail }) {
  if (payout.messages.length === 0) return null;
  return (
    <section className="mt-8">
      <h2 className="mb-3 font-semibold">Messages</h2>
      <ol className="flex flex-col gap-4">
        {payout.messages.map((message) => (
          <li key={`${message.created_at} ${message.kind}`} className="border-l-2 border-line-strong pl-4">
            <p className="flex flex-wrap gap-x-2 text-sm">
              <span className="font-medium wrap-anywhere">{words(message, payout)}</span>
              <TimeAgo iso={message.created_at} className="text-muted" />
            </p>
            {message.text ? <p className="mt-1 wrap-anywhere whitespace-pre-line">{message.text}</p> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
