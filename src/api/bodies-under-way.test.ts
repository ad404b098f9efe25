import type { FastifyRequest } from 'fastify';
import { beforeEach, expect, it } from 'vitest';
import { createBodiesUnderWay, SMALL_BODY_BYTES } from './bodies-under-way.ts';

const MB = 1024 * 1024;

let bodies: ReturnType<typeof createBodiesUnderWay>;
beforeEach(() => {
  bodies = createBodiesUnderWay();
});

function take(companyId: number | null, headers: Record<string, string>, bodyLimit = 64 * MB) {
  const request = { headers, scope: { companyId }, routeOptions: { bodyLimit } };
  return bodies.take(request as unknown as FastifyRequest);
}

const sized = (bytes: number) => ({ 'content-length': String(bytes) });
const form = (headers: Record<string, string>) => ({
  'content-type': 'multipart/form-data; boundary=b',
  ...headers,
});
const inPieces = { 'transfer-encoding': 'chunked' };

it('holds 256 MB of all companies together, and says when to try again', () => {
  const releases = [1, 2, 3, 4].map((companyId) => take(companyId, sized(64 * MB)));
  expect(() => take(5, sized(SMALL_BODY_BYTES + 1))).toThrow(
    expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: 5 }),
  );
  releases[0]?.();
  releases[0]?.(); // It is over only once.
  take(5, sized(64 * MB));
  expect(() => take(6, sized(SMALL_BODY_BYTES + 1))).toThrow(
    expect.objectContaining({ code: 'UNAVAILABLE' }),
  );
});

it('holds 72 MB of one company, whatever else of it is over', () => {
  const [first] = [take(1, sized(40 * MB)), take(1, sized(32 * MB))];
  const another = () => take(1, sized(SMALL_BODY_BYTES + 1));
  expect(another).toThrow(expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }));
  first();
  take(1, sized(40 * MB));
  expect(another).toThrow(expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }));
});

it.each([
  ['of 64 KB', 1, sized(SMALL_BODY_BYTES)],
  ['of nobody', null, sized(72 * MB)],
  ['that its route refuses unread', 1, sized(64 * MB + 1)],
  ['without a size', 1, {}],
])('does not count a body %s', (_, companyId, headers) => {
  take(1, sized(64 * MB));
  take(1, sized(8 * MB));
  expect(() => take(companyId, headers)).not.toThrow();
});

it.each([
  ['a body in pieces, by what its route admits', inPieces, 64],
  ['a form in pieces, by what a company may send', form(inPieces), 72],
  ['a form, by its size', form(sized(12 * MB)), 12],
])('counts %s', (_, headers, megabytes) => {
  take(1, headers);
  expect(() => take(1, sized((72 - megabytes) * MB + SMALL_BODY_BYTES + 1))).toThrow(
    expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }),
  );
  expect(() => take(1, sized((72 - megabytes) * MB))).not.toThrow();
});

it('refuses a form with more than any has', () => {
  expect(() => take(1, form(sized(12 * MB + 1)))).toThrow(
    expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
  );
});
