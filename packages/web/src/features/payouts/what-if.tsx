import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { formatUtcMonth } from '#lib/format/format.ts';
import { everyResellerQuery } from '#lib/queries/counterparts.ts';
import { q } from '#lib/queries/operation.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { MOST_MONTHS, type Terms, WhatIfForm } from './what-if-form.tsx';
import { Outcome, OutcomeSkeleton } from './what-if-outcome.tsx';

interface WhatIfProps {
  terms: Terms;
  onTerms: (terms: Terms) => void;
}

/** What a reseller's last months would have brought at another rate or price. Nothing is changed by looking. */
export function WhatIf({ terms, onTerms }: WhatIfProps) {
  const resellers = useQuery(everyResellerQuery);
  if (resellers.isError && !resellers.data) {
    return (
      <Panel>
        <Failed
          title="Your resellers couldn't be loaded"
          error={resellers.error}
          retry={resellers.refetch}
          retrying={resellers.isFetching}
        />
      </Panel>
    );
  }
  if (resellers.data?.length === 0) {
    return (
      <Panel>
        <Empty
          title="No reseller partners found yet."
          action={
            <LinkButton to="/dashboard/resellers" search={{}} variant="primary">
              Open your resellers
            </LinkButton>
          }
        >
          Once a reseller has sold something, you can try other rates and prices on those sales.
        </Empty>
      </Panel>
    );
  }
  const chosen =
    resellers.data?.find(({ id }) => id === terms.reseller) ?? (terms.reseller ? undefined : resellers.data?.[0]);
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[300px_minmax(0,1fr)]">
      <Panel className="p-5">
        <WhatIfForm
          resellers={resellers.data}
          chosen={chosen}
          terms={{ ...terms, reseller: terms.reseller ?? chosen?.id }}
          onTerms={onTerms}
        />
      </Panel>
      <Panel className="min-w-0 overflow-hidden">
        {resellers.data ? (
          <Compared
            id={terms.reseller ?? (chosen?.id as string)}
            name={chosen?.company_name}
            terms={terms}
            onTerms={onTerms}
          />
        ) : (
          <OutcomeSkeleton />
        )}
      </Panel>
    </div>
  );
}

/** Undefined for what is not typed, or not a number yet. */
const numberOf = (text: string | undefined) => (text ? Number(text.replace(',', '.')) : undefined);

interface ComparedProps extends WhatIfProps {
  /** The partnership's id. */
  id: string;
  /** Undefined when the partnership has ended, or is nobody's. */
  name: string | undefined;
}

function Compared({ id, name, terms, onTerms }: ComparedProps) {
  const { months, product } = terms;
  const [rate, price] = [numberOf(terms.rate), numberOf(terms.price)];
  const query = {
    months,
    ...(rate === undefined ? {} : { commission_rate: rate }),
    ...(price === undefined ? {} : { promo_price: price }),
    ...(product ? { product_id: product } : {}),
  };
  const answer = useQuery({
    ...q('whatIfReseller', { path: { id }, query }),
    placeholderData: keepPreviousData,
  });
  const { data } = answer;
  if (answer.isError) {
    return (
      <Failed
        title="This couldn't be calculated"
        error={answer.error}
        retry={answer.refetch}
        retrying={answer.isFetching}
      />
    );
  }
  if (!data) return <OutcomeSkeleton />;
  if (data.redemptions === 0) {
    return (
      <Empty
        title="No sales to compare"
        action={
          months < MOST_MONTHS ? (
            <Button onClick={() => onTerms({ ...terms, months: MOST_MONTHS })}>Look at {MOST_MONTHS} months</Button>
          ) : null
        }
      >
        {name ?? 'This reseller'} has sold nothing {product ? 'of this product ' : ''}since {formatUtcMonth(data.from)}.
      </Empty>
    );
  }
  return <Outcome data={data} changed={rate !== undefined || price !== undefined} stale={answer.isPlaceholderData} />;
}
