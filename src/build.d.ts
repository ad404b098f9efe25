/**
 * Identifies the running build in the names of the files that it starts later: a new build in the same folder does
 * not overwrite those of a server that is still running. Only defined once built (vite.server.config.ts), and in
 * tests.
 */
declare const BUILD: string;

/** Folder of the bundle made for the tests: only defined in tests (vitest.config.ts). */
declare const BUNDLE: string | undefined;
