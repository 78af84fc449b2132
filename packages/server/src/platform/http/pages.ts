import type { FastifyReply, FastifyRequest } from 'fastify';

/** True for a browser that goes somewhere; scripts and plugins ask for anything, or for JSON. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}

export function sendPage(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('referrer-policy', 'no-referrer')
    .serializer((body: unknown) => body as string)
    .send(text);
}

/** The language a reader likes best among those there are, by Accept-Language; the first of them when none fits. */
export function languageOf<Language extends string>(
  request: FastifyRequest,
  known: readonly [Language, ...Language[]] | readonly Language[],
): Language {
  const wanted = (request.headers['accept-language'] ?? '')
    .split(',', 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.find((each) => each.trim().startsWith('q='));
      return { language: tag.split('-', 1)[0] as string, quality: quality ? Number(quality.trim().slice(2)) || 0 : 1 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  const best = wanted.find(({ language }) => (known as readonly string[]).includes(language))?.language;
  return (best ?? known[0]) as Language;
}
