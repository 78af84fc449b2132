import { useQuery } from '@tanstack/react-query';
import { Checkbox, FieldError } from '#ui/forms/field.tsx';
import { Failed } from '#ui/states.tsx';
import { eventTypesQuery } from './webhook-queries.ts';

interface EventType {
  type: string;
  by_name_only: boolean;
}

/** `serial.*` for `serial.redeemed`. */
const familyOf = (type: string) => `${type.split('.')[0]}.*`;

interface EventChoiceProps {
  value: string[];
  onChange: (events: string[]) => void;
  error: string | undefined;
}

/** Everything, or one by one, with what each means. */
export function EventChoice({ value, onChange, error }: EventChoiceProps) {
  const types = useQuery(eventTypesQuery);
  const everything = value.includes('*');
  // there is nothing to choose of all events but what they leave out
  const listed = types.data?.filter((each) => each.type !== 'webhook.test' && (!everything || each.by_name_only));
  const families = value.filter((name) => name.endsWith('.*'));
  const covers = (family: string, { type, by_name_only }: EventType) => !by_name_only && familyOf(type) === family;
  const toggle = ({ type }: EventType, on: boolean) => {
    if (on) return onChange([...value, type]);
    // without one of its events a family is the others of it
    const others = (types.data ?? []).filter(
      (each) => families.includes(familyOf(type)) && covers(familyOf(type), each),
    );
    const names = [...value.filter((name) => name !== familyOf(type)), ...others.map((each) => each.type)];
    onChange([...new Set(names)].filter((name) => name !== type));
  };
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={error ? 'events-error' : undefined}>
      <legend className="mb-1.5 text-sm font-medium">Events</legend>
      <Checkbox
        label="All events"
        hint="Also those that later versions add, but not what can come every minute."
        checked={everything}
        onChange={(event) => onChange(event.target.checked ? ['*'] : [])}
      />
      {everything
        ? null
        : families.map((family) => (
            <p key={family} className="text-sm text-muted">
              <code className="font-mono">{family}</code> also takes those that later versions add, until you untick one
              of its events.
            </p>
          ))}
      {types.isError ? (
        <Failed
          title="The events couldn't be loaded"
          error={types.error}
          retry={types.refetch}
          retrying={types.isFetching}
        />
      ) : listed?.length === 0 ? null : (
        <div className="max-h-64 overflow-y-auto rounded-md border border-line p-3">
          {listed ? (
            <ul className="flex flex-col gap-2.5">
              {listed.map((each) => (
                <li key={each.type}>
                  <Checkbox
                    label={<code className="font-mono text-sm">{each.type}</code>}
                    hint={each.about}
                    checked={value.includes(each.type) || families.some((family) => covers(family, each))}
                    onChange={(event) => toggle(each, event.target.checked)}
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
      {error ? <FieldError id="events-error">{error}</FieldError> : null}
    </fieldset>
  );
}
