import { expect, it } from 'vitest';
import { compileTemplate } from './template.ts';

const list = [
  { id: 1, name: 'Reverb', price: null, tags: ['a', 'b'], maker: { email: 'x@example.com' } },
  { id: 2, name: 'Delay of great length', price: 49.5, tags: [], maker: { email: 'y@example.com' } },
];

it.each([
  ['{{range .}}{{.id}} {{.name}}{{"\\n"}}{{end}}', '1 Reverb\n2 Delay of great length\n'],
  ['{{len .}} products', '2 products'],
  ['{{range .}}{{if .price}}{{.price}}{{else if .tags}}tagged{{else}}free{{end}};{{end}}', 'tagged;49.5;'],
  [
    '{{range .}}{{.maker.email}}{{range .tags}} {{.}}{{else}} none{{end}}|{{end}}',
    'x@example.com a b|y@example.com none|',
  ],
  ['{{join ", " (pluck "name" .)}}', 'Reverb, Delay of great length'],
  ['{{range .}}{{.name | truncate 8 | printf "%-9s<"}}{{end}}', 'Reverb   <Delay o… <'],
  ['{{range .}}{{printf "%3v|%-3d|" .id .id}}{{end}}', '  1|1  |  2|2  |'],
  [
    '{{range .}}{{printf "%.2f|%+d|%05d|%.3s|%t%%;" .price .id .id .name true}}{{end}}',
    '|+1|00001|Reb|true%;49.50|+2|00002|Del|true%;'.replace('Reb', 'Rev'),
  ],
  ['{{printf "%7.1f|%-7.1f|%f" 49.55 49.5 -1}}', '   49.5|49.5   |-1.000000'],
  ['{{range .}}{{if eq .name "Reverb"}}{{json .tags}}{{end}}{{end}}', '["a","b"]'],
  ['{{index (index . 1) "id"}}', '2'],
  ['{{range . -}}\n  {{.id}}\n{{- end}}', '12'],
  ['{{range .}}{{/* nothing */}}{{.missing}}{{.price}}{{end}}', '49.5'],
  ['{{range .}}{{$ | len}}{{end}}', '22'],
  ['{{if and (gt (len .) 1) (not false)}}many{{end}}', 'many'],
  ['{{"}}"}}', '}}'],
])('renders %s', (template, text) => {
  expect(compileTemplate(template).render(list)).toBe(text);
});

it.each(['%x', '%5.2z', '%'])('refuses to print with %j', (verb) => {
  expect(() => compileTemplate(`{{printf ${JSON.stringify(verb)} .}}`).render(1)).toThrow(
    `printf takes %s, %v, %d, %f, %q, %t, not ${verb}.`,
  );
});

it('renders a loop over the list row by row', () => {
  const { rows } = compileTemplate('codes:\n{{range .}}{{.name}}\n{{end}}end\n');
  expect([rows?.before, ...list.map((each) => rows?.row(each)), rows?.after].join('')).toBe(
    'codes:\nReverb\nDelay of great length\nend\n',
  );
  for (const whole of [
    '{{len .}}',
    '{{range .tags}}{{.}}{{end}}',
    '{{range .}}{{$ | len}}{{end}}',
    '{{range .}}{{else}}none{{end}}',
  ])
    expect(compileTemplate(whole).rows, whole).toBeUndefined();
});

it.each([
  ['{{range .}}', '{{range}} has no {{end}}'],
  ['{{end}}', '{{end}} ends nothing'],
  ['{{.id', '{{.id is not closed'],
  ['{{shout .id}}', 'there is no function shout'],
  ['{{.id | .name}}', 'after | comes a function'],
  ['{{}}', '{{}} is empty'],
  ['{{(len .}}', '( is not closed'],
  ['{{.id ?}}', '? is not understood'],
  ['{{.id .name}}', 'goes on after its end'],
])('refuses %s', (template, message) => {
  expect(() => compileTemplate(template)).toThrow(message);
});
