import { useSyncExternalStore } from 'react';
import type { Configuracion } from '../../contract/company.ts';
import { http } from './http.ts';

/** Shown until the server has said who provides the product: recognisable as placeholders. */
const PLACEHOLDER: Configuracion = {
  version: '',
  entornoAEAT: 'simulador',
  desarrollo: false,
  sistema: { nombre: 'Huella', identificador: '' },
  empresa: {
    razonSocial: '[Razón social]',
    nif: '[A00000000]',
    direccion: '[Calle y número, 28000 Madrid]',
    telefono: '[+34 910 000 000]',
    correo: '[correo@ejemplo.es]',
  },
  enlaces: { comoFunciona: '#', avisoLegal: '#', privacidad: '#', terminos: '#', pagos: '#' },
};

/** What is known about the provider, and the state of the request. */
interface Known {
  readonly configuracion: Configuracion;
  readonly isKnown: boolean;
  readonly error: Error | null;
}

const NOTHING: Known = { configuracion: PLACEHOLDER, isKnown: false, error: null };

let current = NOTHING;
let asked = false;
let written = PLACEHOLDER;
const listeners = new Set<() => void>();

async function ask(): Promise<void> {
  asked = true;
  try {
    const path = '/api/GetData/GetConfiguracion';
    const configuracion = await http<Configuracion>(path, { anonymous: true });
    tell({ configuracion, isKnown: true, error: null });
  } catch (error) {
    asked = false; // The next component to mount asks again; the placeholders stay meanwhile.
    tell({ ...NOTHING, error: error as Error });
  }
}

function tell(known: Known): void {
  current = known;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!asked) void ask();
  return () => listeners.delete(listener);
}

/**
 * The provider's data and links, requested once per visit. It needs no provider component above it: the landing page
 * uses it without the library through which the panel loads data.
 */
export function useProvider(): Configuracion {
  return useSyncExternalStore(
    subscribe,
    () => current.configuracion,
    () => written,
  );
}

/** Whether the provider's data has been loaded, the error if not, and how to load it again. */
export function useAskedProvider(): Omit<Known, 'configuracion'> & { askAgain: () => void } {
  const { isKnown, error } = useSyncExternalStore(subscribe, () => current);
  return { isKnown, error, askAgain };
}

function askAgain(): void {
  tell(NOTHING);
  void ask();
}

/** While prerendering, each piece of data is a placeholder that the server replaces. */
export function writeForTheServer(): void {
  const marks = <Group extends object>(group: string, values: Group): Group =>
    Object.fromEntries(
      Object.keys(values).map((name) => [name, `__${group}.${name}__`]),
    ) as unknown as Group;
  written = {
    ...PLACEHOLDER,
    empresa: marks('empresa', PLACEHOLDER.empresa),
    enlaces: marks('enlaces', PLACEHOLDER.enlaces),
  };
}
