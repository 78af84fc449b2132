import type { FastifyReply, FastifyRequest } from 'fastify';

const HTML = 'text/html; charset=utf-8';

/** True for a browser that navigates; scripts and plugins accept anything, or JSON. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.type(['application/json', HTML]) === HTML;
}

export function sendPage(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .type(HTML)
    .header('referrer-policy', 'no-referrer')
    .serializer((body: unknown) => body as string)
    .send(text);
}

/** The language a reader likes best among those there are, by Accept-Language; the first of them when none fits. */
export function languageOf<Language extends string>(
  request: FastifyRequest,
  known: readonly [Language, ...Language[]] | readonly Language[],
): Language {
  return (request.language([...known]) || known[0]) as Language;
}
