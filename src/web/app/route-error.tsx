import { createContext, useContext } from 'react';
import { useRouteError } from 'react-router';
import classes from './full-screen.module.css';

/** Whether the frame of the panel, with its own `main`, is around. */
export const Framed = createContext(false);

/** What stands in place of a screen that could not be drawn. */
export function RouteError() {
  const error = useRouteError();
  const framed = useContext(Framed);
  const Screen = framed ? 'div' : 'main';
  if (error != null) console.error(error);
  return (
    <Screen className={classes.screen} role={framed ? 'alert' : undefined}>
      <h1 className={classes.title}>Esta pantalla no se ha podido abrir</h1>
      <p className={classes.text}>
        Puede que haya una versión nueva de Huella o que se haya cortado la conexión. Lo que estaba
        guardado sigue guardado.
      </p>
      <p className={classes.actions}>
        <button type="button" className={classes.button} onClick={() => window.location.reload()}>
          Recargar la página
        </button>
      </p>
    </Screen>
  );
}
