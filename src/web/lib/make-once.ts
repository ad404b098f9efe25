import { type HttpOptions, http } from './http.ts';
import { newKey } from './new-key.ts';

/** The keys of what was asked for and is not known to be made, by what it asks. */
const unanswered = new Map<string, string>();

/**
 * Asks for something new to be made of a form, once for each content: after an answer that was lost, the same content
 * goes again under the same key, and the server answers what it made the first time. Once that is known, the same content
 * is something new again.
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
  // A refusal leaves the key free on the server: it serves for the next try as well.
  const made = await http<T>(`/api/PostData/${call}`, { form, idempotencyKey: key });
  unanswered.delete(content);
  return made;
}
