import { useState } from 'react';
import { decodeToken, storedToken } from './session.ts';

const PREFIX = 'huella.escrito.';

/** By company and tab, so that nobody else gets what somebody was writing. */
const keyOf = (place: string) => `${PREFIX}${decodeToken(storedToken() ?? '')?.sub}.${place}`;

/** Keeps the unsaved input of a form until it is saved or discarded, even after the session ends. */
export function keepTyped(place: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(value));
  } catch {
    // Without storage it lasts as long as its screen.
  }
}

/** The unsaved input there, or null. */
export function typedIn<T>(place: string): T | null {
  try {
    const text = sessionStorage.getItem(keyOf(place));
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

export function forgetTyped(place: string): void {
  try {
    sessionStorage.removeItem(keyOf(place));
  } catch {
    // As in keepTyped.
  }
}

/** Deletes all unsaved input on signing out. */
export function forgetAllTyped(): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // As in keepTyped.
  }
}

/**
 * The state of a form that is restored after signing in again: what was typed there, or `initial`. A value equal to
 * `initial` is not kept.
 */
export function useTyped<T>(place: string, initial: T): [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => typedIn<T>(place) ?? initial);
  const change = (next: T) => {
    setValue(next);
    if (JSON.stringify(next) === JSON.stringify(initial)) forgetTyped(place);
    else keepTyped(place, next);
  };
  return [value, change];
}
