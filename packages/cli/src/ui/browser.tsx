import type { OperationClient } from '@tonerow/sdk/operations';
import { Box, type RenderOptions, render, Text, useApp, useInput, useStdout } from 'ink';
import { useEffect, useRef, useState } from 'react';
import { DetailsView, linesOf } from './details-view.tsx';
import { fit } from './fit.ts';
import { packed, tabLabels, tail, wrapped } from './lines.ts';
import type { Act, Open, Tab } from './tabs.ts';
import { useLive } from './use-live.ts';
import { useOpened } from './use-opened.ts';
import { useRows } from './use-rows.ts';

interface Frame {
  signal: AbortSignal;
  title: string;
  server: string;
  color: boolean;
  /** The streams that it is shown on and read from. Default: the terminal of the process. */
  on?: Pick<RenderOptions, 'stdout' | 'stdin' | 'debug'>;
}

const LIVE = 'Live';

/** Events within this time cause a single request. */
const SETTLE_MS = 1000;

interface Typing {
  label: string;
  value: string;
  done: (typed: string) => void;
}

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
  const [typing, setTyping] = useState<Typing | null>(null);
  const [message, setMessage] = useState('');
  const [asking, setAsking] = useState<{ question: string; run: () => void } | null>(null);
  const [waiting, setWaiting] = useState<Record<string, number>>({});
  const [version, setVersion] = useState(0);
  const [scrolled, setScrolled] = useState(0);
  const [, setResized] = useState(0);

  const tab = tabs[index];
  const update = () => setVersion((before) => before + 1);
  const failed = (error: Error) => setMessage(error.message);

  const { rows, at, setAt } = useRows({ tab, search, version, signal: frame.signal, onError: failed });
  const { details, show, back, close } = useOpened(version, frame.signal, failed);
  const settling = useRef<NodeJS.Timeout>(undefined);
  const { lines: events, lost } = useLive(api, frame.signal, (event) => {
    for (const { name, waiting: countIn } of tabs) {
      const count = countIn?.(event);
      if (count !== undefined) setWaiting((before) => ({ ...before, [name]: count }));
    }
    // not put off by the next event: while many come, what is shown still follows
    settling.current ??= setTimeout(() => {
      settling.current = undefined;
      update();
    }, SETTLE_MS);
  });
  useEffect(() => () => clearTimeout(settling.current), []);

  useEffect(() => {
    const resized = () => setResized((before) => before + 1);
    stdout.on('resize', resized);
    return () => {
      stdout.off('resize', resized);
    };
  }, [stdout]);

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

  const names = [...tabs.map(({ name }) => name), LIVE];
  const marks: Record<string, number> = { ...waiting, [LIVE]: events.length };
  const width = stdout.columns || 80;
  const yellow = frame.color ? { color: 'yellow' } : {};
  const acts = packed(
    (details?.acts ?? []).map((act) => `${act.key} ${act.label}`),
    width,
  );
  const asked = asking ? wrapped(`${asking.question} y/N`, width) : null;
  const note = message === '' && search !== '' && !details ? `Search: ${search} (esc clears it)` : message;
  const detailLines = details ? linesOf(details) : [];
  const keys = packed(
    details
      ? ['esc back', '↑↓ scroll', 'tab next', '/ search', 'u update', 'q quit']
      : ['←→ tabs', '↑↓ move', '/ search', ...(tab?.keys ? [tab.keys] : []), 'u update', 'q quit'],
    width,
  );
  // the lines above the list, those below it, and the line that a terminal needs below that
  const height = Math.max(3, (stdout.rows ?? 24) - 4 - (asked?.length ?? 1) - acts.length - keys.length - 1);
  const current = rows?.[at];
  const first = Math.max(0, Math.min(at - Math.floor(height / 2), (rows?.length ?? 0) - height));
  const lastScroll = Math.max(0, detailLines.length - height);
  const { labels, gap } = tabLabels(names, { marks, index, width });
  const shownEvents = events.filter(({ text }) => text.toLowerCase().includes(search.toLowerCase()));

  const run = (act: Pick<Act, 'run'>, typed = '') => {
    setMessage('…');
    act.run(frame.signal, typed).then((done) => {
      setMessage(done);
      update();
    }, failed);
  };
  const begin = (act: Pick<Act, 'question' | 'prompt' | 'run'>) => {
    const { question, prompt } = act;
    const ask = (typed: string) => {
      if (question === undefined) return run(act, typed);
      setAsking({ question: typeof question === 'string' ? question : question(typed), run: () => run(act, typed) });
    };
    if (prompt === undefined) ask('');
    else setTyping({ label: prompt, value: '', done: (typed) => (typed === '' ? undefined : ask(typed)) });
  };
  const open = (what: Open) => {
    setMessage('…');
    show(what).then(() => {
      setScrolled(0);
      setMessage('');
    }, failed);
  };

  /** Each list has a search of its own. */
  const goTo = (next: number) => {
    close();
    setSearch('');
    setIndex((next + names.length) % names.length);
  };

  useInput((input, key) => {
    // on every screen: the terminal does not handle Ctrl-C itself while keys are read one by one
    if (key.ctrl && input === 'c') return exit();
    if (typing) {
      // pasted text can end with Enter, too
      const [pasted = '', ...after] = key.ctrl || key.meta ? [] : input.split(/[\r\n]/);
      if (key.return || after.length > 0) {
        setTyping(null);
        typing.done(`${typing.value}${key.return ? '' : pasted}`.trim());
      } else if (key.escape) setTyping(null);
      else if (key.backspace || key.delete) setTyping({ ...typing, value: typing.value.slice(0, -1) });
      else setTyping({ ...typing, value: typing.value + pasted });
      return;
    }
    if (asking) {
      if (input === 'y' || input === 'Y') asking.run();
      else setMessage('Nothing was changed.');
      return setAsking(null);
    }
    setMessage('');
    if (input === 'q') return exit();
    if (input === 'u') return update();
    const act = (details ?? current)?.acts?.find((each) => each.key === input);
    if (act) return begin(act);
    if (key.tab) return goTo(index + (key.shift ? -1 : 1));
    if (input === '/') {
      close();
      return setTyping({ label: 'Search', value: search, done: setSearch });
    }
    if (details) {
      const choice = /^[1-9]$/.test(input) ? details.choices?.[Number(input) - 1] : undefined;
      if (choice) return 'open' in choice ? open(choice.open) : begin(choice.act);
      if (key.escape || key.backspace || key.delete || key.leftArrow) {
        setScrolled(0);
        back();
      } else if (key.downArrow || input === 'j') setScrolled(Math.min(lastScroll, scrolled + 1));
      else if (key.upArrow || input === 'k') setScrolled(Math.max(0, scrolled - 1));
      else if (key.pageDown) setScrolled(Math.min(lastScroll, scrolled + height));
      else if (key.pageUp) setScrolled(Math.max(0, scrolled - height));
      return;
    }
    const last = Math.max(0, (rows?.length ?? 1) - 1);
    if (key.escape) setSearch('');
    else if (key.rightArrow) goTo(index + 1);
    else if (key.leftArrow) goTo(index - 1);
    else if (/^[1-9]$/.test(input)) goTo(Math.min(Number(input), names.length) - 1);
    else if (key.downArrow || input === 'j') setAt(Math.min(last, at + 1));
    else if (key.upArrow || input === 'k') setAt(Math.max(0, at - 1));
    else if (key.pageDown) setAt(Math.min(last, at + height));
    else if (key.pageUp) setAt(Math.max(0, at - height));
    else if (key.return && current?.open) open(current.open);
  });

  return (
    <Box flexDirection="column">
      <Text wrap="truncate">
        <Text {...(frame.color ? { color: 'magenta' } : {})} bold>
          ■ Tonerow
        </Text>
        {`  ${fit(frame.title, Math.max(10, Math.floor(width / 3))).trimEnd()}  `}
        {lost ? (
          <Text {...yellow} bold>
            {lost}
          </Text>
        ) : (
          <Text dimColor>{frame.server}</Text>
        )}
      </Text>
      <Box marginY={1}>
        <Text wrap="truncate">
          {names.map((name, at) => (
            <Text key={name}>
              {at > 0 ? ' '.repeat(gap) : ''}
              <Text inverse={at === index} dimColor={at !== index}>
                {labels[at]}
              </Text>
            </Text>
          ))}
        </Text>
      </Box>
      <Box flexDirection="column" height={height}>
        {details ? (
          <DetailsView lines={detailLines} first={Math.min(scrolled, lastScroll)} height={height} width={width} />
        ) : !tab ? (
          <LiveLines lines={shownEvents.slice(0, height)} none={search === '' ? null : search} />
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
      {typing ? (
        <Text wrap="truncate">{tail(`${typing.label}: ${typing.value}▏`, width)}</Text>
      ) : asked ? (
        <Text {...yellow}>{asked.join('\n')}</Text>
      ) : (
        <Text wrap="truncate">{note === '' ? ' ' : note.replace(/\s*\n\s*/g, ' ')}</Text>
      )}
      {acts.length > 0 && <Text dimColor>{acts.join('\n')}</Text>}
      <Text dimColor>{keys.join('\n')}</Text>
    </Box>
  );
}

function LiveLines({ lines, none }: { lines: { id: number; text: string }[]; none: string | null }) {
  if (lines.length === 0)
    return <Text dimColor>{none === null ? 'Waiting for redemptions …' : `Nothing matches "${none}".`}</Text>;
  return lines.map(({ id, text }) => (
    <Text key={id} wrap="truncate">
      {text}
    </Text>
  ));
}

/** The terminal client, until the person quits. @param tabs what it shows before the live events. */
export async function browse(api: OperationClient, tabs: readonly Tab[], frame: Frame): Promise<void> {
  const app = render(<Browser api={api} tabs={tabs} frame={frame} />, {
    exitOnCtrlC: false,
    patchConsole: false,
    ...frame.on,
  });
  const stop = () => app.unmount();
  frame.signal.addEventListener('abort', stop, { once: true });
  await app.waitUntilExit();
  frame.signal.removeEventListener('abort', stop);
}
