type Found = Record<string, { value: string; label: string | null; count: number }[]>;

/** The option that chooses each value, with its name and count. */
export const choiceRows = (found: Found) =>
  Object.entries(found).flatMap(([kind, values]) =>
    values.map(({ value, label, count }) => [kind === 'product' ? '--products' : `--${kind}`, value, label, count]),
  );
