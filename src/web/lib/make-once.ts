import { type HttpOptions, http } from './http.ts';
import { newKey } from './new-key.ts';

/** The keys of requests whose result is unknown, by their content. */
const unanswered = new Map<string, string>();

/**
 * Creates something from a form, once for each content: after a lost answer, the same content is sent with the same
 * key, and the server answers what it created the first time. Once that is known, the same content creates something
 * new.
 *
 * @throws {ApiError} as {@link http}
 */
export async function makeOnce<T>(
  call: string,
  form: NonNullable<HttpOptions['form']>,
): Promise<T> {
  const content = JSON.stringify([call, form]);
  const key = unanswered.get(content) ?? newKey();
  unanswered.set(content, key);
  // A refusal leaves the key unused on the server, so the next attempt may use it too.
  const made = await http<T>(`/api/PostData/${call}`, { form, idempotencyKey: key });
  unanswered.delete(content);
  return made;
}
