export { browse } from './browser.tsx';
export { developerTabs } from './developer-tabs.ts';
export { resellerTabs } from './reseller-tabs.ts';

import { Box, render, Text } from 'ink';
import { useEffect, useState } from 'react';

const CELLS = 12;

interface State {
  done: number;
  ended: boolean;
}

/** Twelve cells that fill, and the count. Rendered to stderr, so that stdout stays data. */
function Bar({
  label,
  total,
  color,
  subscribe,
}: {
  label: string;
  total: number;
  color: boolean;
  subscribe: (to: (state: State) => void) => void;
}) {
  const [{ done }, setState] = useState<State>({ done: 0, ended: false });
  useEffect(() => subscribe(setState), [subscribe]);
  const filled = total === 0 ? CELLS : Math.floor((Math.min(done, total) / total) * CELLS);
  return (
    <Box gap={1}>
      <Text {...(color ? { color: 'magenta' } : {})}>{'■'.repeat(filled)}</Text>
      <Text dimColor>{'□'.repeat(CELLS - filled)}</Text>
      <Text>{label}</Text>
      <Text dimColor>
        {Math.min(done, total).toLocaleString('en')} of {total.toLocaleString('en')}
      </Text>
    </Box>
  );
}

export function showProgress(stream: NodeJS.WriteStream, label: string, total: number, color: boolean) {
  let listener: (state: State) => void = () => undefined;
  const app = render(
    <Bar
      label={label}
      total={total}
      color={color}
      subscribe={(to) => {
        listener = to;
      }}
    />,
    { stdout: stream, stderr: stream, patchConsole: false, exitOnCtrlC: false },
  );
  return {
    update: (done: number) => listener({ done, ended: false }),
    async stop() {
      app.unmount();
      await app.waitUntilExit();
    },
  };
}
