import { useState } from 'react';
import { decodeToken, storedToken } from './session.ts';

const PREFIX = 'huella.escrito.';

/** Of the company that is signed in, and of this tab: nobody else is given what it was writing. */
const keyOf = (place: string) => `${PREFIX}${decodeToken(storedToken() ?? '')?.sub}.${place}`;

/** Keeps what is half typed in a form until it is saved or given up, also past a session that ends. */
export function keepTyped(place: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(value));
  } catch {
    // Without storage it lives as long as its screen.
  }
}

/** What was half typed there, or null. */
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

/** Whoever signs out leaves nothing half typed behind. */
export function forgetAllTyped(): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // As in keepTyped.
  }
}

/**
 * The state of a form that is given back after signing in again: what was typed in that place, or
 * `initial`. What equals `initial` is not kept.
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
