import { useQuery } from '@tanstack/react-query';
import { Checkbox } from '../../ui/field.tsx';
import { Failed } from '../../ui/states.tsx';
import { eventTypesQuery } from './webhook-queries.ts';

interface EventChoiceProps {
  value: string[];
  onChange: (events: string[]) => void;
  error: string | undefined;
}

/** Everything, or one by one, with what each means. */
export function EventChoice({ value, onChange, error }: EventChoiceProps) {
  const types = useQuery(eventTypesQuery);
  const everything = value.includes('*');
  const toggle = (name: string, on: boolean) => onChange(on ? [...value, name] : value.filter((each) => each !== name));
  const covered = ({ type, by_name_only }: { type: string; by_name_only: boolean }) =>
    !by_name_only && (everything || value.includes(`${type.split('.')[0]}.*`));
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={error ? 'events-error' : undefined}>
      <legend className="mb-1.5 text-sm font-medium">Events</legend>
      <Checkbox
        label="All events"
        hint="Also those that later versions add, but not what can come every minute."
        checked={everything}
        onChange={(event) => onChange(event.target.checked ? ['*'] : [])}
      />
      {types.isError ? (
        <Failed
          title="The events couldn't be loaded"
          error={types.error}
          retry={types.refetch}
          retrying={types.isFetching}
        />
      ) : (
        <div className="max-h-64 overflow-y-auto rounded-md border border-line p-3">
          {types.data ? (
            <ul className="flex flex-col gap-2.5">
              {types.data
                .filter(({ type }) => type !== 'webhook.test')
                .map(({ type, about, ...rest }) => (
                  <li key={type}>
                    <Checkbox
                      label={<code className="font-mono text-sm">{type}</code>}
                      hint={about}
                      checked={covered({ type, ...rest }) || value.includes(type)}
                      disabled={covered({ type, ...rest })}
                      onChange={(event) => toggle(type, event.target.checked)}
                    />
                  </li>
                ))}
            </ul>
          ) : (
            <span role="status" className="skeleton block h-40">
              <span className="sr-only">Loading events</span>
            </span>
          )}
        </div>
      )}
      {error ? (
        <p id="events-error" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
