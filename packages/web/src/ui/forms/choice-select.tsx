import { Select } from './select.tsx';

interface ChoiceSelectProps<Choice extends string> {
  label: string;
  /** The words for no choice, such as `All states`. */
  all: string;
  /** Each choice with its words, in their order. */
  words: Record<Choice, string>;
  value: Choice | undefined;
  onChange: (choice: Choice | undefined) => void;
  className?: string;
}

/** One of a few, or all of them. */
export function ChoiceSelect<Choice extends string>(props: ChoiceSelectProps<Choice>) {
  const { label, all, words, value, onChange, className } = props;
  const choices = Object.keys(words) as Choice[];
  return (
    <Select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(choices.find((choice) => choice === event.target.value))}
      className={className}
    >
      <option value="">{all}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {words[choice]}
        </option>
      ))}
    </Select>
  );
}
