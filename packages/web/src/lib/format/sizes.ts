const units = ['B', 'KB', 'MB', 'GB'];

/** `8.4 MB`, as the file managers of most systems count. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(unit > 0 && value < 100 ? 1 : 0)} ${units[unit]}`;
}

/** `40 seconds left`, in steps that don't flicker. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 60) return `${Math.ceil(seconds / 5) * 5} seconds left`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min left`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min left`;
}
