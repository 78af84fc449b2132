import type { Batch, Product, Serial, SerialDetail } from '@tonerow/sdk';
import { watchEvents } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { Box, render, Text, useApp, useInput, useStdout } from 'ink';
import { useEffect, useState } from 'react';
import { lineOf } from '../live-line.ts';

interface Frame {
  signal: AbortSignal;
  title: string;
  server: string;
  color: boolean;
}

const TABS = ['Products', 'Batches', 'Serials', 'Live'] as const;
type Tab = (typeof TABS)[number];
const KEPT_LINES = 200;

interface Row {
  id: string;
  cells: string[];
  serial?: Serial;
}

interface Line {
  id: number;
  text: string;
}

/** Cuts or pads a text to a width, so that columns align. */
function fit(text: string, width: number): string {
  const plain = text.replace(/[^\P{Cc}]/gu, '');
  return plain.length > width ? `${plain.slice(0, Math.max(0, width - 1))}…` : plain.padEnd(width);
}

const loaders: Record<
  Exclude<Tab, 'Live'>,
  (api: OperationClient, search: string, signal: AbortSignal) => Promise<Row[]>
> = {
  Products: async (api, search, signal) =>
    (await api.listProducts({ query: { search: search || undefined } }, { signal })).map((each: Product) => ({
      id: each.id,
      cells: [each.name, each.is_draft ? 'draft' : 'submitted', `${each.serials_available} available`],
    })),
  Batches: async (api, search, signal) =>
    (await api.listBatches({ query: { search: search || undefined, limit: 50 } }, { signal })).rows.map(
      (each: Batch) => ({
        id: each.id,
        cells: [
          `${each.product_name}${each.batch_tag ? ` · ${each.batch_tag}` : ''}`,
          `${each.redeemed} of ${each.quantity} redeemed`,
          `${each.open} open, ${each.revoked} revoked`,
        ],
      }),
    ),
  Serials: async (api, search, signal) =>
    (await api.listSerials({ query: { search: search || undefined, limit: 100 } }, { signal })).rows.map((each) => ({
      id: each.id,
      cells: [each.code, each.product, stateOf(each)],
      serial: each,
    })),
};

function stateOf(serial: Pick<Serial, 'revoked' | 'redeemed_at' | 'handed_out_at'>): string {
  if (serial.revoked) return 'revoked';
  if (serial.redeemed_at) return 'redeemed';
  return serial.handed_out_at ? 'handed out' : 'available';
}

function Browser({ api, frame }: { api: OperationClient; frame: Frame }) {
  const { exit } = useApp();
  const stdout = useStdout().stdout as NodeJS.WriteStream;
  const [tab, setTab] = useState<Tab>('Products');
  const [search, setSearch] = useState('');
  const [typing, setTyping] = useState<string | null>(null);
  const [rows, setRows] = useState<Row[] | null>(null);
  const [at, setAt] = useState(0);
  const [message, setMessage] = useState('');
  const [asking, setAsking] = useState<Serial | null>(null);
  const [detail, setDetail] = useState<SerialDetail | null>(null);
  const [events, setEvents] = useState<Line[]>([]);
  const [version, setVersion] = useState(0);
  const [, setResized] = useState(0);

  useEffect(() => {
    const resized = () => setResized((before) => before + 1);
    stdout.on('resize', resized);
    return () => {
      stdout.off('resize', resized);
    };
  }, [stdout]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a higher version asks again for the same
  useEffect(() => {
    if (tab === 'Live') return;
    const stop = new AbortController();
    setRows(null);
    setAt(0);
    loaders[tab](api, search, AbortSignal.any([stop.signal, frame.signal])).then(setRows, (error: Error) => {
      if (stop.signal.aborted) return;
      setRows([]);
      setMessage(error.message);
    });
    return () => stop.abort();
  }, [api, frame, tab, search, version]);

  useEffect(() => {
    const stop = new AbortController();
    const watch = async () => {
      for await (const event of watchEvents(api, { signal: AbortSignal.any([stop.signal, frame.signal]) })) {
        if (event.type === 'resync' || (event.type === 'import' && event.data.state === 'running')) continue;
        setEvents((before) => [{ id: (before[0]?.id ?? 0) + 1, text: lineOf(event) }, ...before].slice(0, KEPT_LINES));
      }
    };
    watch().catch((error: Error) => setMessage(error.message));
    return () => stop.abort();
  }, [api, frame]);

  const height = Math.max(5, (stdout.rows ?? 24) - 8);
  const width = stdout.columns ?? 80;
  const current = rows?.[at];
  const first = Math.max(0, Math.min(at - Math.floor(height / 2), (rows?.length ?? 0) - height));

  const act = (serial: Serial) => {
    const call = serial.revoked ? api.reassignSerial : api.revokeSerial;
    setMessage('…');
    call({ path: { id: serial.id } }, { signal: frame.signal }).then(
      () => {
        setMessage(`${serial.revoked ? 'Reassigned' : 'Revoked'} ${serial.code}`);
        setVersion((before) => before + 1);
      },
      (error: Error) => setMessage(error.message),
    );
  };

  useInput((input, key) => {
    // on every screen: the terminal does not handle Ctrl-C itself while keys are read one by one
    if (key.ctrl && input === 'c') return exit();
    if (typing !== null) {
      if (key.return) {
        setSearch(typing.trim());
        setTyping(null);
      } else if (key.escape) setTyping(null);
      else if (key.backspace || key.delete) setTyping(typing.slice(0, -1));
      else if (!key.ctrl && !key.meta) setTyping(typing + input);
      return;
    }
    if (asking) {
      if (input === 'y' || input === 'Y') act(asking);
      else setMessage('Nothing was changed.');
      return setAsking(null);
    }
    if (detail) return setDetail(null);
    setMessage('');
    const index = TABS.indexOf(tab);
    const last = Math.max(0, (rows?.length ?? 1) - 1);
    if (input === 'q') exit();
    else if (key.tab || key.rightArrow) setTab(TABS[(index + 1) % TABS.length] as Tab);
    else if (key.leftArrow) setTab(TABS[(index + TABS.length - 1) % TABS.length] as Tab);
    else if (/^[1-4]$/.test(input)) setTab(TABS[Number(input) - 1] as Tab);
    else if (key.downArrow || input === 'j') setAt(Math.min(last, at + 1));
    else if (key.upArrow || input === 'k') setAt(Math.max(0, at - 1));
    else if (key.pageDown) setAt(Math.min(last, at + height));
    else if (key.pageUp) setAt(Math.max(0, at - height));
    else if (input === '/') setTyping(search);
    else if (input === 'u') setVersion(version + 1);
    else if (input === 'r' && current?.serial) setAsking(current.serial);
    else if (key.return && current?.serial) {
      setMessage('…');
      api.getSerial({ path: { id: current.id } }, { signal: frame.signal }).then(
        (found) => {
          setDetail(found);
          setMessage('');
        },
        (error: Error) => setMessage(error.message),
      );
    }
  });

  return (
    <Box flexDirection="column">
      <Box gap={2}>
        <Text {...(frame.color ? { color: 'magenta' } : {})} bold>
          ■ Tonerow
        </Text>
        <Text>{frame.title}</Text>
        <Text dimColor>{frame.server}</Text>
      </Box>
      <Box gap={2} marginY={1}>
        {TABS.map((name, index) => (
          <Text key={name} inverse={name === tab} dimColor={name !== tab}>
            {` ${index + 1} ${name}${name === 'Live' && events.length > 0 ? ` (${events.length})` : ''} `}
          </Text>
        ))}
        {search !== '' && typing === null && <Text dimColor>search: {search}</Text>}
      </Box>
      <Box flexDirection="column" height={height}>
        {detail ? (
          <Detail serial={detail} width={width} />
        ) : tab === 'Live' ? (
          <Lines lines={events.slice(0, height)} width={width} />
        ) : rows === null ? (
          <Text dimColor>Loading …</Text>
        ) : rows.length === 0 ? (
          <Text dimColor>{search === '' ? 'Nothing here yet.' : `Nothing matches "${search}".`}</Text>
        ) : (
          rows.slice(first, first + height).map((row, index) => (
            <Text key={row.id} inverse={first + index === at} wrap="truncate">
              {` ${fit(row.cells[0] ?? '', Math.floor(width * 0.42))} ${fit(row.cells[1] ?? '', Math.floor(width * 0.26))} ${row.cells[2]}`}
            </Text>
          ))
        )}
      </Box>
      {typing !== null ? (
        <Text>Search: {typing}▏</Text>
      ) : asking ? (
        <Text {...(frame.color ? { color: 'yellow' } : {})}>
          {asking.revoked ? 'Reassign' : 'Revoke'} {asking.code}? y/N
        </Text>
      ) : (
        <Text>{message === '' ? ' ' : message}</Text>
      )}
      <Text dimColor wrap="truncate">
        ←→ tabs ↑↓ move / search {tab === 'Serials' ? '↵ details r revoke or reassign ' : ''}u update q quit
      </Text>
    </Box>
  );
}

function Lines({ lines, width }: { lines: Line[]; width: number }) {
  if (lines.length === 0) return <Text dimColor>Waiting for redemptions …</Text>;
  return lines.map(({ id, text }) => (
    <Text key={id} wrap="truncate">
      {text.slice(0, width)}
    </Text>
  ));
}

function Detail({ serial, width }: { serial: SerialDetail; width: number }) {
  const { customer } = serial;
  const facts = [
    ['Product', serial.product],
    ['State', stateOf(serial)],
    ['Customer', customer ? `${customer.first_name ?? ''} ${customer.last_name ?? ''} <${customer.email}>` : '–'],
    ['Downloads', `${serial.download_count}/5`],
    ['Machines', `${serial.seats_used} of ${serial.max_activations}`],
    ['Tag', serial.batch_tag ?? '–'],
  ];
  return (
    <Box flexDirection="column">
      <Text bold>{serial.code}</Text>
      {facts.map(([name, value]) => (
        <Text key={name} wrap="truncate">
          {fit(name ?? '', 12)}
          {fit(value ?? '', Math.max(10, width - 14)).trimEnd()}
        </Text>
      ))}
      <Text> </Text>
      {serial.history.slice(0, 8).map((event) => (
        <Text key={`${event.at} ${event.kind} ${event.detail}`} dimColor wrap="truncate">
          {`${event.at.slice(0, 16).replace('T', ' ')}  ${fit(event.kind, 11)} ${event.detail ?? ''}`}
        </Text>
      ))}
      <Text dimColor>Any key goes back.</Text>
    </Box>
  );
}

/** The terminal client, until the person quits. */
export async function browse(api: OperationClient, frame: Frame): Promise<void> {
  const app = render(<Browser api={api} frame={frame} />, { exitOnCtrlC: false, patchConsole: false });
  const stop = () => app.unmount();
  frame.signal.addEventListener('abort', stop, { once: true });
  await app.waitUntilExit();
  frame.signal.removeEventListener('abort', stop);
}
