/** Parameters as Stripe reads them: `a[b][c]=1` and `a[0]=1`, from a body or a query. */
export type Params = { [name: string]: Params | string };

export class BadForm extends Error {}

export function readForm(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
    if (!path?.[1]) throw new BadForm(`Invalid parameter name: ${name}`);
    const steps = [path[1], ...[...(path[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '')];
    let at = params;
    for (const step of steps.slice(0, -1)) {
      at[step] ??= {};
      const next = at[step];
      if (typeof next === 'string') throw new BadForm(`Invalid parameter: ${name}`);
      at = next;
    }
    at[steps.at(-1) as string] = value;
  }
  return params;
}
