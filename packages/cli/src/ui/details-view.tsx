import { Text } from 'ink';
import { fit } from './fit.ts';
import type { Details } from './tabs.ts';

interface Line {
  text: string;
  bold?: boolean;
  dim?: boolean;
}

/** A thing as lines: the answer first, then the facts, what the digits do, and what happened. */
export function linesOf({ title, answer = [], facts, choices = [], lines }: Details): Line[] {
  const rest: Line[] = lines.map((text) => ({ text, dim: true }));
  return [
    { text: title, bold: true },
    ...answer.map((text) => ({ text })),
    { text: '' },
    ...facts.map(([name, value]) => ({ text: `${fit(name, 12)}${value ?? '–'}` })),
    ...(choices.length > 0 ? [{ text: '' }] : []),
    ...choices.slice(0, 9).map(({ text }, at) => ({ text: `${at + 1}  ${text}` })),
    ...(rest.length > 0 ? [{ text: '' }, ...rest] : []),
  ];
}

interface DetailsViewProps {
  lines: Line[];
  /** The first line shown. */
  first: number;
  height: number;
  width: number;
}

export function DetailsView({ lines, first, height, width }: DetailsViewProps) {
  return lines.slice(first, first + height).map(({ text, bold = false, dim = false }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order
    <Text key={at} bold={bold} dimColor={dim} wrap="truncate">
      {fit(text, width).trimEnd() || ' '}
    </Text>
  ));
}
