/** A text in lines that fit, broken between words; a word that is longer than a line is cut into several. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (line.length > width) {
      lines.push(line.slice(0, width));
      line = line.slice(width);
    }
  }
  return [...lines, line];
}

/** Items side by side, in as many lines as they need; none is broken. */
export function packed(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const longer = lines.length === 0 ? item : `${lines.at(-1)}  ${item}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(item);
  }
  return lines;
}

/** The end of what is typed, which is where the person types. */
export function tail(text: string, width: number): string {
  return text.length > width ? `…${text.slice(text.length - width + 1)}` : text;
}

/** The labels of the tabs that fit into the width: all names, or the current tab's name beside the others' numbers. */
export function tabLabels(
  names: readonly string[],
  { marks, index, width }: { marks: Record<string, number>; index: number; width: number },
): { labels: string[]; gap: number } {
  const mark = (name: string) => (marks[name] ? ` (${marks[name]})` : '');
  const full = names.map((name, at) => ` ${at + 1} ${name}${mark(name)} `);
  const brief = names.map((name, at) => (at === index ? (full[at] as string) : ` ${at + 1}${mark(name)} `));
  const fits = (labels: string[], gap: number) => labels.join(' '.repeat(gap)).length <= width;
  if (fits(full, 2)) return { labels: full, gap: 2 };
  return fits(full, 0) ? { labels: full, gap: 0 } : { labels: brief, gap: 0 };
}
