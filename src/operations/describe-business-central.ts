import type {
  BusinessCentral,
  BusinessCentralProblemas,
  Sincronizacion,
} from '../contract/business-central.ts';
import type { Deps } from '../deps.ts';
import { centsToNumber, textToCents } from '../domain/money.ts';
import { findConnection, listRuns, type SyncRun } from '../store/business-central.ts';
import { listProblems } from '../store/business-central-origins.ts';
import { listTaxCodes } from '../store/business-central-tax-codes.ts';

const RUNS_SHOWN = 20;
const PROBLEMS_SHOWN = 200;

/** How the connection stands, without its secret. */
export async function describeBusinessCentral(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<BusinessCentral> {
  const [connection, runs, codes] = await Promise.all([
    findConnection(sql, companyId),
    listRuns(sql, companyId, RUNS_SHOWN),
    listTaxCodes(sql, companyId),
  ]);
  const historial = runs.map(runBody);
  if (!connection) return { estado: 'sin-conectar', historial, ivaPendiente: 0, conProblemas: 0 };
  const { total } = await listProblems(sql, companyId, connection.bcCompany, 0);
  const enMarcha = historial.find(({ estado }) => estado === 'en-marcha');
  return {
    estado: connection.status,
    conexion: {
      tenant: connection.tenant,
      entorno: connection.environment,
      clientId: connection.clientId,
      empresaId: connection.bcCompany,
      empresa: connection.bcCompanyName,
      modo: connection.registersAtOnce ? 'registrar' : 'borradores',
      devolver: connection.writesBack,
      desde: connection.since,
      cadaMinutos: connection.everyMinutes,
    },
    ...(connection.declaredOffAt && {
      verifactuApagado: {
        quien: connection.declaredOffBy ?? '',
        cuando: connection.declaredOffAt.toISOString(),
      },
    }),
    ...(connection.status === 'activa' && { proxima: connection.nextRunAt.toISOString() }),
    ...(enMarcha && { enMarcha }),
    historial,
    ivaPendiente: codes.filter(({ tax }) => tax === null).length,
    conProblemas: total,
  };
}

/** What was not imported or not registered, and why, document by document. */
export async function describeProblems(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<BusinessCentralProblemas> {
  const connection = await findConnection(sql, companyId);
  if (!connection) return { total: 0, problemas: [] };
  const { problems, total } = await listProblems(
    sql,
    companyId,
    connection.bcCompany,
    PROBLEMS_SHOWN,
  );
  return {
    total,
    problemas: problems.map((problem) => ({
      tipo: problem.tipo,
      numero: problem.number,
      nombre: problem.name,
      ...(problem.issuedOn && { fecha: problem.issuedOn }),
      ...(problem.total !== null && { total: centsToNumber(textToCents(problem.total)) }),
      motivos: [...problem.reasons],
      ...(problem.docNo && { DocNo: problem.docNo }),
    })),
  };
}

function runBody(run: SyncRun): Sincronizacion {
  return {
    id: String(run.id),
    causa: run.cause,
    estado: run.status,
    fase: run.phase,
    cuentas: { ...run.counts },
    ...(run.message && { mensaje: run.message }),
    empezada: run.startedAt.toISOString(),
    ...(run.finishedAt && { acabada: run.finishedAt.toISOString() }),
  };
}
