import type { FastifyRequest } from 'fastify';

export function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  const match = header ? /^Bearer +([^\s]{1,4096})$/i.exec(header) : null;
  return match?.[1] ?? null;
}
