import type { Logger } from 'pino';
import type { BusinessCentralEndpoints } from './business-central/endpoints.ts';
import type { Config } from './config.ts';
import type { DatabaseAddress } from './platform/database.ts';
import type { News } from './platform/news.ts';
import type { Sql } from './store/sql.ts';

/** What operations and routes are given. Nothing reads the clock or the environment by itself. */
export interface Deps {
  readonly sql: Sql;
  /** Where `sql` goes, for threads that open connections of their own. */
  readonly database: DatabaseAddress;
  /** The application's clock; moved forward by `POST /desarrollo/reloj` outside production. */
  readonly clock: () => Date;
  readonly config: Config;
  readonly log: Logger;
  /** Tells every dispatcher, in this process and in others, that there is something to send. */
  readonly wakeDispatcher: () => void;
  /** The same for the mail worker. */
  readonly wakeMail: () => void;
  /** Tells the screens of a company, wherever they are open, that what they show has changed. */
  readonly news: News;
}

/** The AEAT's service by kind of certificate, and the CA it is checked with (null: the system's). */
export interface AeatService {
  readonly url: string;
  readonly selloUrl: string;
  readonly ca: string | null;
}

/** Where the outside world of this process is. Read each time it is used: simulators may come back at other ports. */
export interface Runtime {
  readonly aeat: AeatService;
  /** The one for demos, which never declare to production. */
  readonly aeatOfDemos: AeatService;
  readonly smtpUrl: string;
  /** Origin of the simulated card gateway, or null where there is none. */
  readonly redsysUrl: string | null;
  /** Business Central: where its API is and where its tokens are asked for. */
  readonly businessCentral: BusinessCentralEndpoints;
  /** Control of the simulators, or null where there are none. */
  readonly controlUrl: string | null;
  /** Moves the application's clock, and the simulators' with it; null in production. */
  readonly moveClock: ((seconds: number) => Promise<void>) | null;
  /** Folder of the built web, or null when a development server serves it. */
  readonly webRoot: string | null;
}
