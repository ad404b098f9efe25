import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { useRouteError } from 'react-router';
import { ConnectionLostError, pageAnswers } from '../lib/load-module.ts';
import classes from './full-screen.module.css';

/** Whether the frame of the panel, with its own `main`, surrounds the component. */
export const Framed = createContext(false);

/** Shown instead of a screen that could not be drawn. */
export function RouteError() {
  const error = useRouteError();
  if (error != null) console.error(error);
  if (error instanceof ConnectionLostError) return <ConnectionLost />;
  return (
    <InPlaceOfScreen
      title="Esta pantalla no se ha podido abrir"
      action="Recargar la página"
      onAction={() => window.location.reload()}
    >
      Puede que haya una versión nueva de Huella o que se haya cortado la conexión. Lo que estaba
      guardado sigue guardado.
    </InPlaceOfScreen>
  );
}

const LOOK_AGAIN_MS = 4_000;

/** Shown instead of a screen whose code could not be loaded. It opens automatically once that is possible. */
export function ConnectionLost() {
  useEffect(() => {
    const stop = new AbortController();
    const look = () => openOnceAnswered(stop.signal);
    const timer = setInterval(look, LOOK_AGAIN_MS);
    window.addEventListener('online', look, { signal: stop.signal });
    look(); // A user who returns to the tab may find the connection back.
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, []);
  return (
    <InPlaceOfScreen
      title="No hay conexión con Huella"
      action="Volver a intentarlo"
      onAction={() => openOnceAnswered()}
    >
      Comprueba tu conexión a internet. Esta pantalla se abrirá en cuanto vuelva; lo que estaba
      guardado sigue guardado.
    </InPlaceOfScreen>
  );
}

async function openOnceAnswered(signal?: AbortSignal): Promise<void> {
  const answers = await pageAnswers();
  if (answers && !signal?.aborted) window.location.reload();
}

interface InPlaceOfScreenProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly onAction: () => void;
}

function InPlaceOfScreen({ title, children, action, onAction }: InPlaceOfScreenProps) {
  const framed = useContext(Framed);
  const Screen = framed ? 'div' : 'main';
  return (
    <Screen className={classes.screen} role={framed ? 'alert' : undefined}>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{children}</p>
      <p className={classes.actions}>
        <button type="button" className={classes.button} onClick={onAction}>
          {action}
        </button>
      </p>
    </Screen>
  );
}
