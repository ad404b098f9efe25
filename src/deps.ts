import type { Logger } from 'pino';
import type { BusinessCentralEndpoints } from './business-central/endpoints.ts';
import type { Config } from './config.ts';
import type { DatabaseAddress } from './platform/database.ts';
import type { News } from './platform/news.ts';
import type { Sql } from './store/sql.ts';

/** What operations and routes receive. Nothing else reads the clock or the environment. */
export interface Deps {
  readonly sql: Sql;
  /** Where `sql` connects to, for threads that open connections of their own. */
  readonly database: DatabaseAddress;
  /** The application's clock; moved forward by `POST /desarrollo/reloj` outside production. */
  readonly clock: () => Date;
  /** By how much `clock` was moved forward there; 0 in production. */
  readonly aheadSeconds: () => number;
  readonly config: Config;
  readonly log: Logger;
  /** Tells every dispatcher, in this process and in others, that there is something to send. */
  readonly wakeDispatcher: () => void;
  /** The same for the mail worker. */
  readonly wakeMail: () => void;
  /** Tells the screens of a company, wherever they are open, that what they show has changed. */
  readonly news: News;
}

/** The AEAT's service by kind of certificate, and the CA that signs its certificate (null: the system's). */
export interface AeatService {
  readonly url: string;
  readonly selloUrl: string;
  readonly ca: string | null;
}

/**
 * Addresses of the external services. Read each time they are used, because simulators may restart on other ports.
 */
export interface Runtime {
  readonly aeat: AeatService;
  /** The one for demos, which never declare to production. */
  readonly aeatOfDemos: AeatService;
  readonly smtpUrl: string;
  /** Origin of the simulated card gateway, or null without one. */
  readonly redsysUrl: string | null;
  /** Business Central: where its API is, and where tokens are requested. */
  readonly businessCentral: BusinessCentralEndpoints;
  /** Control API of the simulators, or null without them. */
  readonly controlUrl: string | null;
  /** Moves the application's clock, and the simulators' with it; false when it is too far. Null in production. */
  readonly moveClock: ((seconds: number) => Promise<boolean>) | null;
  /** Folder of the built web, or null when a development server serves it. */
  readonly webRoot: string | null;
}
