import type { Plugin } from 'vite';

export declare function guardPostgres(): Plugin;
