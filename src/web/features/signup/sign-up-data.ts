import { useSyncExternalStore } from 'react';
import { DEFAULT_PLAN, findPlan } from '../../../domain/plans.ts';

/** The data that the three steps collect. */
export interface SignUpData {
  readonly email: string;
  /** Only in memory: lost on reload. */
  readonly password: string;
  readonly fullName: string;
  readonly cifNif: string;
  readonly address: string;
  readonly countryCode: string;
  readonly postCode: string;
  /** `monthly`, `semiannual` or `annual`. */
  readonly subscriptionType: string;
}

/** What the first step also asks for; it is only checked here, and not sent. */
export interface GivenAccess {
  /** Only in memory, like the password. */
  readonly repeat: string;
  /** Without it the second step is closed, whatever the address. */
  readonly terms: boolean;
}

const NOT_GIVEN: GivenAccess = { repeat: '', terms: false };

const KEY = 'huella.registro';
const TERMS_KEY = 'huella.registro.terminos';
const ACCEPTED = 'aceptados';

export const EMPTY_SIGN_UP: SignUpData = {
  email: '',
  password: '',
  fullName: '',
  cifNif: '',
  address: '',
  countryCode: 'ES',
  postCode: '',
  subscriptionType: DEFAULT_PLAN,
};

/** Reads what was stored, ignoring fields of another version and plans that are not for sale. */
export function parseSignUp(stored: string | null): SignUpData {
  try {
    const kept = JSON.parse(stored ?? '{}') as Record<string, unknown>;
    const read = Object.fromEntries(
      Object.keys(EMPTY_SIGN_UP)
        .filter((field) => field !== 'password' && typeof kept[field] === 'string')
        .map((field) => [field, kept[field]]),
    ) as Partial<SignUpData>;
    const data = { ...EMPTY_SIGN_UP, ...read };
    return findPlan(data.subscriptionType) ? data : { ...data, subscriptionType: DEFAULT_PLAN };
  } catch {
    return EMPTY_SIGN_UP;
  }
}

/** What is stored: everything but the password. */
export function serializeSignUp({ password: _, ...kept }: SignUpData): string {
  return JSON.stringify(kept);
}

let current: SignUpData | null = null;
let given: GivenAccess | null = null;
const listeners = new Set<() => void>();

function read(): SignUpData {
  if (current === null) {
    try {
      current = parseSignUp(sessionStorage.getItem(KEY));
    } catch {
      current = EMPTY_SIGN_UP;
    }
  }
  return current;
}

function write(data: SignUpData): void {
  current = data;
  try {
    sessionStorage.setItem(KEY, serializeSignUp(data));
  } catch {
    // Without storage the steps still work; only a reload starts over.
  }
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

export const updateSignUp = (change: Partial<SignUpData>): void => write({ ...read(), ...change });

function readGiven(): GivenAccess {
  if (given === null) {
    try {
      given = { ...NOT_GIVEN, terms: sessionStorage.getItem(TERMS_KEY) === ACCEPTED };
    } catch {
      given = NOT_GIVEN;
    }
  }
  return given;
}

export function updateGiven(change: Partial<GivenAccess>): void {
  given = { ...readGiven(), ...change };
  try {
    if (given.terms) sessionStorage.setItem(TERMS_KEY, ACCEPTED);
    else sessionStorage.removeItem(TERMS_KEY);
  } catch {
    // As in write.
  }
  tell();
}

export function forgetSignUp(): void {
  updateGiven(NOT_GIVEN);
  write(EMPTY_SIGN_UP);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The data of the sign-up in this tab. */
export const useSignUp = (): SignUpData => useSyncExternalStore(subscribe, read);

/** What the user has repeated and accepted. */
export const useGiven = (): GivenAccess => useSyncExternalStore(subscribe, readGiven);

/** Whether the first step is complete: the later ones need an e-mail and the accepted terms. */
export function useHasAccess(): boolean {
  const { email } = useSignUp();
  return useGiven().terms && email !== '';
}
