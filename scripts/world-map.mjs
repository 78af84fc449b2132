// Draws the countries of the analytics map once, so that no browser has to project them: paths on a flat map, keyed by
// ISO 3166-1 alpha-2 codes. The outlines are Natural Earth's (public domain), by way of world-atlas.
//
//   npm install --no-save world-atlas@2.0.2 d3-geo@3 topojson-client@3 i18n-iso-countries@7 && node scripts/world-map.mjs
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(process.env.WORLD_MAP_MODULES ?? import.meta.url);
const load = (name) => import(require.resolve(name));
const { geoNaturalEarth1, geoPath, geoArea } = await load('d3-geo');
const { feature } = await load('topojson-client');
const iso = (await load('i18n-iso-countries')).default;

// twice the size of the largest screen it is shown on, so that whole numbers are exact enough
const WIDTH = 1600;
const HEIGHT = 734;
const CUT = 'AQ';
// in the data without a number
const UNNUMBERED = { Kosovo: 'XK' };

async function countriesOf(scale) {
  const world = JSON.parse(await readFile(require.resolve(`world-atlas/countries-${scale}.json`), 'utf8'));
  return feature(world, world.objects.countries).features.flatMap((country) => {
    const code = UNNUMBERED[country.properties.name] ?? (country.id ? iso.numericToAlpha2(country.id) : undefined);
    return code && code !== CUT ? [{ ...country, code }] : [];
  });
}

const coarse = await countriesOf('110m');
const all = await countriesOf('50m');
const projection = geoNaturalEarth1().fitExtent(
  [
    [2, 2],
    [WIDTH - 2, HEIGHT - 2],
  ],
  { type: 'FeatureCollection', features: coarse },
);
const path = geoPath(projection).digits(0);
/** The same outline in steps from point to point, which is half as long; islands of less than a point are left out. */
function relative(outline) {
  return outline
    .split('M')
    .slice(1)
    .map((ring) => {
      const points = ring
        .replace('Z', '')
        .split('L')
        .map((point) => point.split(',').map(Number));
      const steps = points.slice(1).map(([x, y], index) => [x - points[index][0], y - points[index][1]]);
      const moved = steps.filter(([x, y]) => x !== 0 || y !== 0);
      return moved.length < 2
        ? ''
        : `M${points[0].join(' ')}l${moved.map((step) => step.join(' ')).join(' ')}z`.replaceAll(' -', '-');
    })
    .join('');
}

const shapes = {};
for (const country of coarse) {
  const shape = relative(path(country) ?? '');
  if (shape) shapes[country.code] = (shapes[country.code] ?? '') + shape;
}
// too small for an outline at this scale: a dot
const dots = {};
for (const country of all.toSorted((a, b) => geoArea(b) - geoArea(a))) {
  if (country.code in shapes || country.code in dots) continue;
  dots[country.code] = path.centroid(country).map(Math.round).join(' ');
}
const byCode = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
const file = new URL('../packages/web/src/features/analytics/world.json', import.meta.url);
await writeFile(
  file,
  `${JSON.stringify({ box: `0 0 ${WIDTH} ${HEIGHT}`, shapes: byCode(shapes), dots: byCode(dots) }, null, 2)}\n`,
);
