import { type HttpOptions, http } from './http.ts';
import { newKey } from './new-key.ts';

/** The last request of each content whose result is unknown. */
const unanswered = new Map<string, { readonly key: string }>();

/**
 * Creates something from a form, once for each content: after a lost answer, the same content is sent with the same
 * key, and the server answers what it created the first time. Once that is known, the same content creates something
 * new. Of two that are under way at once, for a second press before the form says that it is saving, the later one
 * tells: the form shows only its answer.
 *
 * @throws {ApiError} as {@link http}
 */
export async function makeOnce<T>(
  call: string,
  form: NonNullable<HttpOptions['form']>,
): Promise<T> {
  const content = JSON.stringify([call, form]);
  const request = { key: unanswered.get(content)?.key ?? newKey() };
  unanswered.set(content, request);
  // A refusal leaves the key unused on the server, so the next attempt may use it too.
  const made = await http<T>(`/api/PostData/${call}`, { form, idempotencyKey: request.key });
  if (unanswered.get(content) === request) unanswered.delete(content);
  return made;
}
