interface Named {
  first_name: string | null;
  last_name: string | null;
}

export function nameOf({ first_name, last_name }: Named): string | undefined {
  return [first_name, last_name].filter(Boolean).join(' ') || undefined;
}
