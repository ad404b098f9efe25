/** How long invoices have to be kept, and when they may be destroyed. */

export interface KeptAccount {
  /** Year of the newest registro, or of the newest payment to the provider; null without either. */
  readonly lastYear: number | null;
  /** It declared under the OSS (ClaveRegimen 17). */
  readonly usedOss: boolean;
  /** It never paid: what it registered had no fiscal validity. */
  readonly wasTrial: boolean;
  readonly closedAt: Date;
}

/** Código de Comercio art. 30, for the books of both; longer than the four years of the Ley General Tributaria. */
const YEARS = 6;
/** Reglamento (UE) 282/2011 art. 63 quater, LIVA art. 163 vicies. */
const OSS_YEARS = 10;
/** Nothing of it has to be kept; a month in case it was closed by mistake. */
const TRIAL_DAYS = 30;

/**
 * The moment from which a closed account may be destroyed: the end of the sixth year (the tenth with OSS) after the
 * year of its last registro or payment, counted from 31 December, in UTC.
 */
export function keptUntil({ lastYear, usedOss, wasTrial, closedAt }: KeptAccount): Date {
  if (wasTrial || lastYear === null) {
    return new Date(closedAt.getTime() + TRIAL_DAYS * 86_400_000);
  }
  return new Date(Date.UTC(lastYear + (usedOss ? OSS_YEARS : YEARS) + 1, 0, 1));
}
