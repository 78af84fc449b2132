import { readyAnswer, startedAnswer } from '#features/system';
import type { InternalAnswer, InternalPage } from '#platform/http/connections/internal-server.ts';
import { allFigures } from '#platform/metrics/cluster.ts';
import type { Deps } from './deps.ts';

type Pages = Record<string, InternalPage>;

/** The pages of a process besides the API: its health for anybody, and the rest for infrastructure next to it. */
export function internalPages({ readiness, metrics, domains, warnings }: Deps): { health: Pages; all: Pages } {
  const health: Pages = {
    '/livez': async () => json(200, { status: 'alive' }),
    '/startupz': async () => {
      const { code, body } = startedAnswer(readiness.isStarted);
      return json(code, body);
    },
    '/readyz': async () => {
      const { code, body } = await readyAnswer(
        () => readiness.state(),
        () => warnings.all(),
      );
      return json(code, body);
    },
  };
  const all: Pages = {
    ...health,
    '/metrics': async () => ({
      status: 200,
      type: metrics.registry.contentType,
      body: await allFigures(metrics.registry),
    }),
    '/internal/tls/ask': async (query) => ({
      status: (await domains.mayHaveCertificate(query.get('domain') ?? '')) ? 200 : 404,
    }),
  };
  return { health, all };
}

function json(status: number, body: object): InternalAnswer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
