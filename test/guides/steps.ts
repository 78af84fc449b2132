/** A block of a guide that is marked `sh run`, and what it prints when the next block is marked `text`. */
export interface Step {
  script: string;
  output: string | null;
}

export function readSteps(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const [, info, body] of markdown.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)) {
    if (info === 'sh run') steps.push({ script: (body as string).trimEnd(), output: null });
    else if (info === 'text' && steps.length > 0) (steps.at(-1) as Step).output = (body as string).trim();
  }
  return steps;
}

/** Whether a guide's output is what was printed; `…` matches anything. */
export function outputMatches(printed: string, shown: string): boolean {
  const pattern = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(pattern.join('[^]*')).test(printed);
}
