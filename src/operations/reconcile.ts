import type {
  ConciliarRegistrosAnswer,
  ConciliarRegistrosBody,
  ConciliarRegistrosPaso,
} from '../contract/evidence.ts';
import type { Deps } from '../deps.ts';
import { CERTIFICATE_NEEDED } from '../domain/closed-panel.ts';
import { DomainError } from '../domain/errors.ts';
import { mensajeDeFault } from '../domain/verifactu/codigos.ts';
import { conciliar, type MadeBy } from '../domain/verifactu/conciliar.ts';
import type {
  Consulta,
  RegistroConsultado,
  RespuestaConsulta,
} from '../domain/verifactu/consulta.ts';
import type { Fault } from '../domain/verifactu/respuesta.ts';
import { originOf, PRODUCTO } from '../domain/verifactu/sistema.ts';
import { lockCadena, requireReconcile, settleReconcile } from '../store/cadenas.ts';
import { type Company, findCompany } from '../store/companies.ts';
import { findFormerInstallations } from '../store/installations.ts';
import { declaredOfNumbers, declaredOfPeriodo } from '../store/registros.ts';
import type { Tx } from '../store/sql.ts';
import { companyOf } from './company-of.ts';
import { type ClientCertificate, openCertificate } from './open-certificate.ts';

/**
 * Queries the AEAT with a company's certificate (the test service for a demo). Injected, because only dispatch talks
 * to the AEAT.
 */
export type ConsultarAeat = (
  who: { readonly certificate: ClientCertificate; readonly esDemo: boolean },
  consulta: Consulta,
  signal: AbortSignal,
) => Promise<RespuestaConsulta | Fault | { kind: 'no-answer'; cause: string }>;

/** A page holds 10,000 invoices: a month with more pages than this is an answer that never ends. */
const MAX_PAGES = 200;

/**
 * Compares a month of ours with what the AEAT says that it holds.
 *
 * When it holds registros of ours that we lack, an old backup was restored: registering stops until that month is
 * whole again (Orden HAC/1177/2024 art. 7.a to d).
 *
 * @throws {DomainError} FORBIDDEN without a certificate to ask with; UNAVAILABLE when the AEAT could not be asked
 */
export async function reconcile(
  ...question: Parameters<typeof watchReconcile>
): Promise<ConciliarRegistrosAnswer> {
  for await (const { resultado } of watchReconcile(...question)) if (resultado) return resultado;
  throw new Error('It ended without a result.');
}

/**
 * The same with progress: how many invoices the AEAT has answered of how many this side has, which may be fewer, and
 * at the end the answer. If the signal aborts, the AEAT is not asked any more and nothing is decided.
 *
 * @throws {DomainError} as {@link reconcile}; FORBIDDEN before the first step
 */
export async function* watchReconcile(
  deps: Deps,
  consultar: ConsultarAeat,
  companyId: number,
  { Ejercicio, Periodo }: ConciliarRegistrosBody,
  signal: AbortSignal,
): AsyncGenerator<ConciliarRegistrosPaso> {
  const { sql, clock } = deps;
  const asking = await askFor(deps, companyId);
  const { company } = asking;
  const periodo = `${Ejercicio}-${Periodo}`;
  const antes = await declaredOfPeriodo(sql, companyId, periodo);
  const total = new Set(antes.map(({ NumSerieFactura }) => NumSerieFactura)).size;
  yield { facturas: 0, total };
  const held: RegistroConsultado[] = [];
  for await (const page of heldPages(consultar, asking, periodo, signal)) {
    held.push(...page);
    yield { facturas: held.length, total };
  }
  signal.throwIfAborted();
  const numbers = [...new Set(held.map((registro) => registro.NumSerieFactura))];
  const { perdidos, ...result } = conciliar({
    held,
    antes,
    despues: await declaredOfNumbers(sql, companyId, numbers),
    madeBy: await makerLookup(sql, company),
  });
  const registroDetenido = await sql.begin(async (tx) => {
    if (perdidos.length === 0) {
      await settleReconcile(tx, companyId, periodo);
      return false;
    }
    await lockCadena(tx, companyId);
    const now = await findCompany(tx, companyId);
    // While the AEAT was being asked, a new installation gave the missing registros up.
    if (now?.numeroInstalacion !== company.numeroInstalacion) return false;
    await requireReconcile(tx, companyId, [periodo], clock());
    return true;
  });
  const resultado = {
    iguales: result.iguales,
    distintos: [...result.distintos],
    soloAqui: [...result.soloAqui],
    soloAEAT: [...result.soloAEAT],
    enEspera: result.enEspera,
    registroDetenido,
  };
  yield { facturas: held.length, total, resultado };
}

/** For whom the AEAT is asked, and with which certificate. */
export interface Asking {
  readonly company: Company;
  readonly certificate: ClientCertificate;
}

/** @throws {DomainError} FORBIDDEN without a certificate to ask with */
export async function askFor(deps: Deps, companyId: number): Promise<Asking> {
  const [company, certificate] = await Promise.all([
    companyOf(deps, companyId),
    openCertificate(deps, companyId),
  ]);
  if (!certificate) throw new DomainError('FORBIDDEN', CERTIFICATE_NEEDED);
  if (certificate.validoHasta <= deps.clock()) {
    throw new DomainError('FORBIDDEN', 'El certificado digital ha caducado: sube uno nuevo.');
  }
  return { company, certificate };
}

/**
 * Everything that the AEAT holds for a month, `2026-11`.
 *
 * @throws {DomainError} UNAVAILABLE when it could not be asked
 */
export async function heldOfPeriodo(
  ...question: Parameters<typeof heldPages>
): Promise<RegistroConsultado[]> {
  const held: RegistroConsultado[] = [];
  for await (const page of heldPages(...question)) held.push(...page);
  return held;
}

/** The same, page by page. */
async function* heldPages(
  consultar: ConsultarAeat,
  { company, certificate }: Asking,
  periodo: string,
  signal: AbortSignal,
): AsyncGenerator<readonly RegistroConsultado[]> {
  const [Ejercicio = '', Periodo = ''] = periodo.split('-');
  const who = { certificate, esDemo: company.subscriptionType === 'Demo' };
  let clave: Clave;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await consultar(who, consultaOf(company, Ejercicio, Periodo, clave), signal);
    if (answer.kind !== 'consulta') throw unavailable(answer);
    yield answer.registros;
    clave = answer.ClavePaginacion;
    if (!clave) return;
  }
  throw new DomainError('UNAVAILABLE', 'La AEAT no termina de responder. Inténtalo más tarde.');
}

/**
 * Numbers and days that the AEAT holds from other programs for a month, as `A-1|20-11-2026`: those must not be
 * declared again here.
 *
 * @throws {DomainError} FORBIDDEN without a certificate; UNAVAILABLE when the AEAT could not be asked
 */
export async function declaredElsewhere(
  deps: Deps,
  consultar: ConsultarAeat,
  companyId: number,
  { Ejercicio, Periodo }: ConciliarRegistrosBody,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const asking = await askFor(deps, companyId);
  const { company } = asking;
  const held = await heldOfPeriodo(consultar, asking, `${Ejercicio}-${Periodo}`, signal);
  const madeBy = await makerLookup(deps.sql, company);
  return new Set(
    held
      .filter((registro) => madeBy(registro) !== 'here' && registro.EstadoRegistro !== 'Anulado')
      .map(({ NumSerieFactura, FechaExpedicionFactura }) =>
        [NumSerieFactura, FechaExpedicionFactura].join('|'),
      ),
  );
}

/**
 * Tells which program made each registro that the AEAT holds of a company.
 *
 * An installation that was started after the restored backup was made is recognised by its origin: its registros were
 * made here, and lost.
 */
export async function makerLookup(
  tx: Tx,
  { id, numeroInstalacion }: Pick<Company, 'id' | 'numeroInstalacion'>,
): Promise<(registro: RegistroConsultado) => MadeBy> {
  const former = await findFormerInstallations(tx, id);
  const origin = originOf(numeroInstalacion);
  return ({ IdSistemaInformatico, NumeroInstalacion = '' }) => {
    if (IdSistemaInformatico !== PRODUCTO.IdSistemaInformatico) return 'other';
    if (former.has(NumeroInstalacion)) return 'former';
    return originOf(NumeroInstalacion) === origin ? 'here' : 'other';
  };
}

type Clave = RespuestaConsulta['ClavePaginacion'];

function consultaOf(
  company: Company,
  Ejercicio: string,
  Periodo: string,
  ClavePaginacion: Clave,
): Consulta {
  return {
    ObligadoEmision: { NombreRazon: company.name, NIF: company.nif },
    Ejercicio,
    Periodo,
    muestraSistemaInformatico: true,
    ...(ClavePaginacion && { ClavePaginacion }),
  };
}

function unavailable(answer: Fault | { kind: 'no-answer'; cause: string }): DomainError {
  switch (answer.kind) {
    case 'no-answer':
      return new DomainError('UNAVAILABLE', `${answer.cause} Inténtalo de nuevo en unos minutos.`);
    case 'fault':
      return new DomainError(
        'UNAVAILABLE',
        `La AEAT no admite la consulta. ${mensajeDeFault(answer)}`,
      );
  }
}
