/**
 * Which build runs, in the names of the files it starts later: a new build in the same folder leaves those of
 * the server that still runs in place. Only there once built (vite.server.config.ts).
 */
declare const BUILD: string;
