import type { ImportPlan } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Panel } from '#ui/page.tsx';
import { answerOf, useChange } from './use-import.ts';
import { answered, choicesOf } from './words.ts';

type Question = ImportPlan['questions'][number];
/** More choices than these are a list to open. */
const MOST_BUTTONS = 3;

/** The open questions, each with its answers beside it, and the answers so far, which can be taken back. */
export function Questions({ id, plan }: { id: string; plan: ImportPlan }) {
  const change = useChange(id);
  const answers = answered(plan);
  if (plan.questions.length === 0 && answers.length === 0) return null;
  return (
    <Panel className="mb-6 overflow-hidden">
      <ul className="divide-y divide-line">
        {plan.questions.map((question) => (
          <li key={question.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
            <p id={`question-${question.id}`} className="min-w-0 flex-1 basis-72 wrap-anywhere">
              {question.message}
            </p>
            <Answers
              question={question}
              busy={change.isPending}
              onAnswer={(value) => change.mutate(answerOf(plan, question.id, value))}
            />
          </li>
        ))}
        {answers.map(({ id: name, what, words }) => (
          <li key={name} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm">
            <span>
              <span className="text-muted">{what}</span> {words}
            </span>
            <Button
              size="sm"
              variant="ghost"
              disabled={change.isPending}
              onClick={() => change.mutate(answerOf(plan, name, null))}
            >
              Change<span className="sr-only"> {what.toLowerCase()}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface AnswersProps {
  question: Question;
  busy: boolean;
  onAnswer: (value: string) => void;
}

function Answers({ question, busy, onAnswer }: AnswersProps) {
  const choices = choicesOf(question);
  if (choices.length === 0) return null;
  const label = `question-${question.id}`;
  if (choices.length <= MOST_BUTTONS) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend of its own, and the question is beside it.
      <div role="group" aria-labelledby={label} className="flex flex-wrap gap-2">
        {choices.map(({ value, words }) => (
          <Button key={value} size="sm" disabled={busy} onClick={() => onAnswer(value)}>
            {words}
          </Button>
        ))}
      </div>
    );
  }
  return (
    <Select
      aria-labelledby={label}
      value=""
      disabled={busy}
      onChange={({ target }) => (target.value === '' ? undefined : onAnswer(target.value))}
      className="w-full sm:w-64"
    >
      <option value="">Choose…</option>
      {choices.map(({ value, words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </Select>
  );
}
