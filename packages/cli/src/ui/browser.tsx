import { watchEvents } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { Box, render, Text, useApp, useInput, useStdout } from 'ink';
import { useEffect, useState } from 'react';
import { lineOf } from '../live-line.ts';
import type { Act, Details, Row, Tab } from './tabs.ts';

interface Frame {
  signal: AbortSignal;
  title: string;
  server: string;
  color: boolean;
}

const KEPT_LINES = 200;

interface Line {
  id: number;
  text: string;
}

/** Cuts or pads a text to a width, so that columns align. */
function fit(text: string, width: number): string {
  const plain = text.replace(/[^\P{Cc}]/gu, '');
  return plain.length > width ? `${plain.slice(0, Math.max(0, width - 1))}…` : plain.padEnd(width);
}

const LIVE = 'Live';

interface BrowserProps {
  api: OperationClient;
  tabs: readonly Tab[];
  frame: Frame;
}

function Browser({ api, tabs, frame }: BrowserProps) {
  const { exit } = useApp();
  const stdout = useStdout().stdout as NodeJS.WriteStream;
  const [index, setIndex] = useState(0);
  const [search, setSearch] = useState('');
  const [typing, setTyping] = useState<string | null>(null);
  const [rows, setRows] = useState<Row[] | null>(null);
  const [at, setAt] = useState(0);
  const [message, setMessage] = useState('');
  const [asking, setAsking] = useState<Act | null>(null);
  const [details, setDetails] = useState<Details | null>(null);
  const [waiting, setWaiting] = useState<Record<string, number>>({});
  const [events, setEvents] = useState<Line[]>([]);
  const [version, setVersion] = useState(0);
  const [, setResized] = useState(0);

  const tab = tabs[index];

  useEffect(() => {
    const resized = () => setResized((before) => before + 1);
    stdout.on('resize', resized);
    return () => {
      stdout.off('resize', resized);
    };
  }, [stdout]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a higher version asks again for the same
  useEffect(() => {
    if (!tab) return;
    const stop = new AbortController();
    setRows(null);
    setAt(0);
    tab.load(search, AbortSignal.any([stop.signal, frame.signal])).then(setRows, (error: Error) => {
      if (stop.signal.aborted) return;
      setRows([]);
      setMessage(error.message);
    });
    return () => stop.abort();
  }, [frame, tab, search, version]);

  useEffect(() => {
    const stop = new AbortController();
    for (const { name, load, waiting: counts } of tabs) {
      if (!counts) continue;
      load('', AbortSignal.any([stop.signal, frame.signal])).then(
        ({ length }) => setWaiting((before) => ({ [name]: length, ...before })),
        // its own tab shows the reason
        () => undefined,
      );
    }
    return () => stop.abort();
  }, [tabs, frame]);

  useEffect(() => {
    const stop = new AbortController();
    const watch = async () => {
      for await (const event of watchEvents(api, { signal: AbortSignal.any([stop.signal, frame.signal]) })) {
        if (event.type === 'resync' || (event.type === 'import' && event.data.state === 'running')) continue;
        for (const { name, waiting: countIn } of tabs) {
          const count = countIn?.(event);
          if (count !== undefined) setWaiting((before) => ({ ...before, [name]: count }));
        }
        setEvents((before) => [{ id: (before[0]?.id ?? 0) + 1, text: lineOf(event) }, ...before].slice(0, KEPT_LINES));
      }
    };
    watch().catch((error: Error) => setMessage(error.message));
    return () => stop.abort();
  }, [api, tabs, frame]);

  const names = [...tabs.map(({ name }) => name), LIVE];
  const marks: Record<string, number> = { ...waiting, [LIVE]: events.length };
  const height = Math.max(5, (stdout.rows ?? 24) - 8);
  const width = stdout.columns ?? 80;
  const current = rows?.[at];
  const first = Math.max(0, Math.min(at - Math.floor(height / 2), (rows?.length ?? 0) - height));

  const act = ({ run }: Act) => {
    setMessage('…');
    run(frame.signal).then(
      (done) => {
        setMessage(done);
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
    if (details) return setDetails(null);
    setMessage('');
    const chosen = current?.acts?.find((each) => each.key === input);
    const last = Math.max(0, (rows?.length ?? 1) - 1);
    if (input === 'q') exit();
    else if (key.tab || key.rightArrow) setIndex((index + 1) % names.length);
    else if (key.leftArrow) setIndex((index + names.length - 1) % names.length);
    else if (/^[1-9]$/.test(input)) setIndex(Math.min(Number(input), names.length) - 1);
    else if (key.downArrow || input === 'j') setAt(Math.min(last, at + 1));
    else if (key.upArrow || input === 'k') setAt(Math.max(0, at - 1));
    else if (key.pageDown) setAt(Math.min(last, at + height));
    else if (key.pageUp) setAt(Math.max(0, at - height));
    else if (input === '/') setTyping(search);
    else if (input === 'u') setVersion(version + 1);
    else if (chosen) setAsking(chosen);
    else if (key.return && current?.open) {
      setMessage('…');
      current.open(frame.signal).then(
        (found) => {
          setDetails(found);
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
        {names.map((name, at) => (
          <Text key={name} inverse={at === index} dimColor={at !== index}>
            {` ${at + 1} ${name}${marks[name] ? ` (${marks[name]})` : ''} `}
          </Text>
        ))}
        {search !== '' && typing === null && <Text dimColor>search: {search}</Text>}
      </Box>
      <Box flexDirection="column" height={height}>
        {details ? (
          <DetailsOf details={details} width={width} />
        ) : !tab ? (
          <Lines lines={events.slice(0, height)} width={width} />
        ) : rows === null ? (
          <Text dimColor>Loading …</Text>
        ) : rows.length === 0 ? (
          <Text dimColor>{search === '' ? 'Nothing here yet.' : `Nothing matches "${search}".`}</Text>
        ) : (
          rows.slice(first, first + height).map((row, index) => (
            <Text key={row.id} inverse={first + index === at} wrap="truncate">
              {` ${fit(row.cells[0] ?? '', Math.floor(width * 0.42))} ${fit(row.cells[1] ?? '', Math.floor(width * 0.26))} ${row.cells[2] ?? ''}`}
            </Text>
          ))
        )}
      </Box>
      {typing !== null ? (
        <Text>Search: {typing}▏</Text>
      ) : asking ? (
        <Text {...(frame.color ? { color: 'yellow' } : {})}>{asking.question} y/N</Text>
      ) : (
        <Text>{message === '' ? ' ' : message}</Text>
      )}
      <Text dimColor wrap="truncate">
        ←→ tabs ↑↓ move / search {tab?.keys ? `${tab.keys} ` : ''}u update q quit
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

function DetailsOf({ details: { title, answer = [], facts, lines }, width }: { details: Details; width: number }) {
  return (
    <Box flexDirection="column">
      <Text bold>{title}</Text>
      {answer.map((line) => (
        <Text key={line} wrap="truncate">
          {fit(line, width).trimEnd()}
        </Text>
      ))}
      {facts.map(([name, value]) => (
        <Text key={name} wrap="truncate">
          {fit(name, 12)}
          {fit(value ?? '–', Math.max(10, width - 14)).trimEnd()}
        </Text>
      ))}
      <Text> </Text>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order
        <Text key={at} dimColor wrap="truncate">
          {fit(line, width).trimEnd()}
        </Text>
      ))}
      <Text dimColor>Any key goes back.</Text>
    </Box>
  );
}

/** The terminal client, until the person quits. @param tabs what it shows before the live events. */
export async function browse(api: OperationClient, tabs: readonly Tab[], frame: Frame): Promise<void> {
  const app = render(<Browser api={api} tabs={tabs} frame={frame} />, { exitOnCtrlC: false, patchConsole: false });
  const stop = () => app.unmount();
  frame.signal.addEventListener('abort', stop, { once: true });
  await app.waitUntilExit();
  frame.signal.removeEventListener('abort', stop);
}
