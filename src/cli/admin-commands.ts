import { parseArgs } from 'node:util';
import { SealBroken } from '../certificate/seal.ts';
import type { Config } from '../config.ts';
import { isIsoDate } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { type ReturnOutcome, takeReturnedMail } from '../mail/returned.ts';
import { changeSubscription, type SubscriptionChange } from '../operations/administer.ts';
import { closedAccounts, destroyAccount } from '../operations/destroy-expired.ts';
import { countLost, forgetLost, isNothing } from '../operations/lost-key.ts';
import { requireReconcileAll } from '../operations/require-reconcile.ts';
import { tellProcesses } from '../platform/news.ts';
import {
  type DespachoSummary,
  listCompanies,
  listDespachos,
  listUnsentMails,
  requeueNotTakenMails,
} from '../store/administration.ts';
import { saveMaintenance } from '../store/app-settings.ts';
import { distribute } from '../store/distribute.ts';
import type { Sql } from '../store/sql.ts';
import { accessCommand } from './admin-access.ts';
import { paymentsCommand } from './admin-payments.ts';
import { rotateKeyCommand } from './admin-rotate-key.ts';
import { assertStopped } from './assert-stopped.ts';
import { LOST_MEANS, lostWords } from './lost-words.ts';
import { onlyWord } from './only-word.ts';
import { moment, table } from './table.ts';

export interface AdminContext {
  readonly sql: Sql;
  readonly config: Config;
  readonly now: Date;
  /** `CLAVE_MAESTRA_NUEVA`, in base64. */
  readonly newKey: string | null;
  /** Whether `CLAVE_MAESTRA` is given, and not kept under `DATA_DIR`. */
  readonly isKeyGiven: boolean;
  /**
   * Whether it is neither given nor kept: then the key in `config` was generated for this run, and decrypts nothing.
   */
  readonly isKeyMissing: boolean;
  readonly print: (line: string) => void;
  /** Standard input. */
  readonly input: () => Promise<Buffer>;
}

/** From `sysexits.h`: postfix, exim and sendmail understand it as «try again later». */
export const EX_TEMPFAIL = 75;

/** What has to be put right first: whoever runs the command may repeat it afterwards. */
class TryLater extends Error {}

const LIMIT = 200;
/** How far back `correo --reintentar` goes by default: the content of older messages is known by now. */
const RETRIED_MS = 7 * 86_400_000;
const SUBSCRIPTIONS = ['Demo', 'monthly', 'semiannual', 'annual'] as const;

type Command = (args: readonly string[], context: AdminContext) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = {
  empresas,
  suscripcion,
  acceso: accessCommand,
  mantenimiento,
  pagos: paymentsCommand,
  correo,
  rebote,
  despachador: withoutOptions(despachador),
  conciliar,
  destruir,
  distribuir: withoutOptions(distribuir),
  'clave-perdida': clavePerdida,
  'rotar-clave': withoutOptions(rotateKeyCommand),
};

/** A command without options: a word after it was meant for something else, or for an option that it lacks. */
function withoutOptions(command: (context: AdminContext) => Promise<void>): Command {
  return async (args, context) => {
    parseArgs({ args: [...args], options: {} });
    await command(context);
  };
}

/**
 * Runs one command.
 *
 * @returns the exit code: 0; 1 when it could not be done; {@link EX_TEMPFAIL} for a mail server that should try later
 */
export async function runAdmin(args: readonly string[], context: AdminContext): Promise<number> {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    context.print(`No hay ninguna orden «${name}». Mira npm run admin -- --help`);
    return 1;
  }
  try {
    await command(rest, context);
    return 0;
  } catch (error) {
    if (error instanceof TryLater) {
      context.print(error.message);
      return EX_TEMPFAIL;
    }
    const sentence = sentenceOf(error);
    if (sentence === null) throw error;
    context.print(sentence);
    return 1;
  }
}

function sentenceOf(error: unknown): string | null {
  if (error instanceof DomainError) return error.message;
  if (error instanceof SealBroken) {
    return 'CLAVE_MAESTRA no es la clave con la que se sellaron los secretos de esta instalación.';
  }
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')
    ? 'Sobra una palabra, o una opción no existe o está incompleta. Mira npm run admin -- --help'
    : null;
}

/** If the key is elsewhere, the environment is another one, and perhaps its AEAT too. */
const KEY_ELSEWHERE =
  'Aquí no está la clave con la que trabaja Huella: repite con su entorno (CLAVE_MAESTRA, o el DATA_DIR que la guarda).';

/** Without `--hacer` it only reports: it cannot be undone. */
async function clavePerdida(
  args: readonly string[],
  { sql, config, now, isKeyMissing, print }: AdminContext,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { hacer: { type: 'boolean' } } });
  if (isKeyMissing) {
    throw new DomainError(
      'BAD_REQUEST',
      `${KEY_ELSEWHERE} Si la anterior se perdió, da antes la nueva en CLAVE_MAESTRA, o arranca Huella una vez para que la genere.`,
    );
  }
  const lost = await countLost(sql, config.claveMaestra);
  if (isNothing(lost)) {
    return print('CLAVE_MAESTRA abre todos los secretos: no hay nada que hacer.');
  }
  if (!values.hacer) {
    return print(
      `CLAVE_MAESTRA no abre: ${lostWords(lost)}. Si la clave que lo abre se perdió para siempre, para Huella y repite con --hacer: se borra. ${LOST_MEANS}`,
    );
  }
  await assertStopped({ sql, config }, 'borrar lo que su clave no abre');
  const forgotten = await sql.begin((tx) => forgetLost(tx, config.claveMaestra, now));
  print(`Borrado: ${lostWords(forgotten)}. ${LOST_MEANS}`);
}

/** What `npm run restore` does automatically, for a database restored with PostgreSQL's own tools. */
async function conciliar(
  args: readonly string[],
  { sql, now, print }: AdminContext,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { desde: { type: 'string' } } });
  if (!values.desde) {
    throw new DomainError(
      'BAD_REQUEST',
      'Di de qué día es lo que se ha restaurado: conciliar --desde AAAA-MM-DD.',
    );
  }
  const companies = await requireReconcileAll(sql, dayOf(values.desde, now), now);
  print(
    `Hasta conciliar con la AEAT los meses que puedan faltar no se registra en ${companies} ${companies === 1 ? 'empresa' : 'empresas'}. La aplicación lo hace sola; también se puede en «Registros y evidencias».`,
  );
}

/** Without `--hacer` it only reports: it cannot be undone. */
async function destruir(args: readonly string[], { sql, now, print }: AdminContext): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { hacer: { type: 'boolean' } } });
  const accounts = await closedAccounts({ sql });
  print(
    table(
      ['NIF', 'Nombre', 'Eliminada', 'Registros', 'Se conserva hasta'],
      accounts.map((account) => [
        account.nif,
        account.name,
        moment(account.closedAt),
        String(account.registros),
        account.until <= now ? 'ya se puede destruir' : moment(account.until),
      ]),
    ),
  );
  if (!values.hacer) return;
  const due = accounts.filter(({ until }) => until <= now);
  for (const account of due) {
    const gone = await destroyAccount({ sql }, account, now);
    const parts = Object.entries(gone).map(([name, count]) => `${name} ${count}`);
    print(
      `ACTA ${now.toISOString()}: destruido lo que quedaba de ${account.nif} ${account.name}, cuenta eliminada el ${moment(account.closedAt)}, conservado hasta el ${moment(account.until)}. Filas: ${parts.join(', ')}.`,
    );
  }
  print(due.length === 0 ? 'Nada que destruir.' : 'Guarda estas actas: aquí no queda copia.');
}

async function distribuir({ sql, config, print }: AdminContext): Promise<void> {
  await assertStopped({ sql, config }, 'repartir sus tablas');
  const steps = await sql.begin((tx) => distribute(tx));
  if (steps === null) {
    print(
      'La base de datos no tiene instalada la extensión citus: no se ha cambiado nada. Huella funciona igual en un PostgreSQL de una sola máquina.',
    );
  } else if (steps === 0) print('Las tablas ya estaban repartidas.');
  else print(`Tablas repartidas por empresa entre las máquinas (${steps} pasos).`);
}

async function empresas(args: readonly string[], { sql, now, print }: AdminContext): Promise<void> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
  const companies = await listCompanies(sql, { search: positionals.join(' '), limit: LIMIT });
  print(
    table(
      ['NIF', 'Nombre', 'Correo', 'Plan', 'Hasta', 'Registros', 'Estado'],
      companies.map((company) => [
        company.nif,
        company.name,
        company.email,
        company.subscriptionType,
        moment(company.subscriptionEndsAt),
        String(company.registered),
        company.deletedAt
          ? `eliminada ${moment(company.deletedAt)}`
          : company.subscriptionEndsAt <= now
            ? 'caducada'
            : company.waitingSince
              ? `envía desde ${moment(company.waitingSince)}`
              : 'al día',
      ]),
    ),
  );
}

async function suscripcion(
  args: readonly string[],
  { sql, config, now, isKeyMissing, print }: AdminContext,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      hasta: { type: 'string' },
      plan: { type: 'string' },
      terminar: { type: 'boolean' },
    },
  });
  const nif = onlyWord(positionals);
  if (!nif) throw new DomainError('BAD_REQUEST', 'Di de quién: suscripcion NIF …');
  // The environment determines which AEAT a demo leaves.
  if (values.plan && isKeyMissing) throw new DomainError('BAD_REQUEST', KEY_ELSEWHERE);
  const company = await changeSubscription(sql, config, nif, changeOf(values), now);
  await tellProcesses(sql, [company.id]);
  print(
    `${company.nif} ${company.name}: ${company.subscriptionType} hasta ${moment(company.subscriptionEndsAt)}`,
  );
}

function changeOf(values: {
  hasta?: string | undefined;
  plan?: string | undefined;
  terminar?: boolean | undefined;
}): SubscriptionChange {
  if (values.terminar && !values.hasta) return { kind: 'end' };
  if (!values.hasta || values.terminar) {
    throw new DomainError('BAD_REQUEST', 'Di hasta cuándo: --hasta AAAA-MM-DD, o --terminar.');
  }
  const plan = SUBSCRIPTIONS.find((code) => code === values.plan) ?? null;
  if (values.plan && !plan) {
    throw new DomainError('BAD_REQUEST', `--plan tiene que ser ${SUBSCRIPTIONS.join(', ')}.`);
  }
  return { kind: 'until', day: values.hasta, plan };
}

async function mantenimiento(
  [state = '', ...words]: readonly string[],
  { sql, print }: AdminContext,
): Promise<void> {
  const text = words.join(' ').trim();
  if (state === 'off' && text === '') {
    await saveMaintenance(sql, { enabled: false, text: '' });
    print('Aviso de mantenimiento quitado.');
  } else if (state === 'on' && text !== '') {
    await saveMaintenance(sql, { enabled: true, text });
    print(`Aviso puesto; las pantallas abiertas lo muestran en un minuto: ${text}`);
  } else {
    throw new DomainError(
      'BAD_REQUEST',
      'Di el aviso: mantenimiento on "TEXTO"; o mantenimiento off.',
    );
  }
}

async function correo(args: readonly string[], { sql, now, print }: AdminContext): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { reintentar: { type: 'boolean' }, desde: { type: 'string' } },
  });
  if (values.desde && !values.reintentar) {
    throw new DomainError('BAD_REQUEST', '--desde va con --reintentar.');
  }
  if (values.reintentar) {
    const since = values.desde ? dayOf(values.desde, now) : new Date(now.getTime() - RETRIED_MS);
    const count = await requeueNotTakenMails(sql, { since, now });
    print(`Devueltos a la cola: ${count}`);
  }
  const mails = await listUnsentMails(sql, LIMIT);
  print(
    table(
      ['NIF', 'Correo', 'Para', 'Intentos', 'Estado', 'Último error'],
      mails.map((mail) => [
        mail.nif,
        mail.kind,
        mail.recipient,
        String(mail.attempts),
        !mail.failedAt
          ? `sale ${moment(mail.runAt)}`
          : `${mail.sentAt ? 'devuelto' : 'perdido'} ${moment(mail.failedAt)}`,
        mail.lastError ?? '',
      ]),
    ),
  );
}

/** Midnight UTC of a day that has begun. */
function dayOf(text: string, now: Date): Date {
  const day = new Date(`${text}T00:00:00Z`);
  if (!isIsoDate(text) || day > now) {
    throw new DomainError(
      'BAD_REQUEST',
      `«${text}» no es un día que haya llegado: --desde AAAA-MM-DD.`,
    );
  }
  return day;
}

/**
 * Exits with success whatever the message is: a mail server must not return a meaningless one once more. Only while
 * `MAIL_REBOTES` is missing does the server keep it, since its environment may have been forgotten.
 */
async function rebote(
  args: readonly string[],
  { sql, config, now, input, print }: AdminContext,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { para: { type: 'string' } } });
  const outcome = await takeReturnedMail(
    { sql, config },
    { source: await input(), recipient: values.para ?? '', now },
  );
  if (outcome === 'off') throw new TryLater(RETURN_WORDS.off);
  print(RETURN_WORDS[outcome]);
}

const RETURN_WORDS: Readonly<Record<ReturnOutcome, string>> = {
  noted: 'Anotado: el mensaje consta como devuelto.',
  repeated: 'Ese mensaje ya constaba como no entregado, o ya no se guarda.',
  'not-final': 'El aviso no dice que la entrega haya fracasado: no cambia nada.',
  'no-report': 'No es un aviso de entrega (RFC 3464): no cambia nada.',
  'not-ours': 'No lleva una dirección de devolución de esta instalación: no cambia nada.',
  off: 'Falta MAIL_REBOTES en el entorno de esta orden: el aviso se queda en el servidor de correo.',
};

async function despachador({ sql, now, print }: AdminContext): Promise<void> {
  const despachos = await listDespachos(sql, LIMIT);
  print(
    table(
      ['NIF', 'Por enviar', 'Rechazados', 'Desde', 'Próximo envío', 'Fallos', 'Último error'],
      despachos.map((despacho) => [
        despacho.nif,
        String(despacho.pendientes),
        String(despacho.rechazados),
        moment(despacho.waitingSince),
        nextOf(despacho, now),
        String(despacho.failures),
        despacho.lastError ?? '',
      ]),
    ),
  );
}

/** When its turn is; a company that has to act, or to be compared with the AEAT, first has none. */
function nextOf(despacho: DespachoSummary, now: Date): string {
  const { rechazados, detenidoAt, isOfUncheckedCopy, nextEnvioAt } = despacho;
  if (rechazados > 0) return 'cuando corrija';
  if (detenidoAt) return 'cuando lo arregle';
  if (isOfUncheckedCopy) return 'cuando concilie';
  return nextEnvioAt <= now ? 'ya' : moment(nextEnvioAt);
}
