import { ConnectionLostError, loadModule } from '../lib/load-module.ts';
import { ConnectionLost, RouteError } from './route-error.tsx';

/**
 * Loads the module of a route, as {@link loadModule}. If even reloading does not help, or the server does not answer,
 * a screen that says so takes its place: the router draws nothing for a route whose module failed.
 */
export function loadRoute<Module extends object>(load: () => Promise<Module>) {
  const loadOnce = loadModule(load);
  return async (): Promise<Module | { Component: typeof RouteError }> => {
    try {
      return await loadOnce();
    } catch (error) {
      console.error(error);
      return { Component: error instanceof ConnectionLostError ? ConnectionLost : RouteError };
    }
  };
}
