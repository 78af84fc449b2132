const BARS = '▁▂▃▄▅▆▇█';

/** Values as one line of bars; zero is the lowest bar. More values than `width` are added up. */
export function sparkline(values: readonly number[], width = 60): string {
  const sums = values.length <= width ? values : binned(values, width);
  const top = Math.max(...sums, 0);
  return sums.map((value) => BARS[top === 0 ? 0 : Math.round((value / top) * (BARS.length - 1))]).join('');
}

function binned(values: readonly number[], width: number): number[] {
  return Array.from({ length: width }, (_, bin) => {
    const [from, to] = [Math.floor((bin * values.length) / width), Math.floor(((bin + 1) * values.length) / width)];
    return values.slice(from, to).reduce((sum, value) => sum + value, 0);
  });
}
