/**
 * Which build runs, in the names of the files it starts later: a new build in the same folder leaves those of
 * the server that still runs in place. Only there once built (vite.server.config.ts), and in tests.
 */
declare const BUILD: string;

/** Folder of the bundle that the tests made: only there in tests (vitest.config.ts). */
declare const BUNDLE: string | undefined;
