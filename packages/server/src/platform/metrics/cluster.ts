import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

const ASK = 'tonerow:figures?';
const ANSWER = 'tonerow:figures';
const PATIENCE = 2000;

interface Message {
  type: string;
  id: number;
  figures?: object[];
}

let asked = 0;

/** Responds when the leading process collects metrics. It runs in each of several API processes. */
export function reportFigures(registry: Registry): void {
  process.on('message', (message: Message) => {
    if (message?.type !== ASK) return;
    registry.getMetricsAsJSON().then(
      (figures) => process.send?.({ type: ANSWER, id: message.id, figures } satisfies Message),
      () => undefined,
    );
  });
}

/**
 * The figures of the leading process and its workers, as one page. A worker that does not answer is left out.
 */
export async function allFigures(own: Registry): Promise<string> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
  if (workers.length === 0) return own.metrics();
  const workerFigures = await Promise.all(workers.map((worker) => figuresOf(worker as Worker)));
  const all = [await own.getMetricsAsJSON(), ...workerFigures].filter((figures) => figures !== null);
  return AggregatorRegistry.aggregate(all as object[]).metrics();
}

function figuresOf(worker: Worker): Promise<object[] | null> {
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    const done = (figures: object[] | null) => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('exit', onExit);
      resolve(figures);
    };
    const onMessage = (message: Message) => {
      if (message?.type === ANSWER && message.id === id) done(message.figures ?? null);
    };
    const onExit = () => done(null);
    const timer = setTimeout(onExit, PATIENCE);
    worker.on('message', onMessage);
    worker.on('exit', onExit);
    worker.send({ type: ASK, id } satisfies Message, (error) => error && done(null));
  });
}
