import type { ConexionAEAT, ProximosNumeros, Resumen } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { avisoDeCaducidad } from '../domain/certificate-expiry.ts';
import { addDays, isoDateIn, zonaOf } from '../domain/dates.ts';
import { centsToNumber, textToCents } from '../domain/money.ts';
import { formatNoSerie, SERIES_KINDS } from '../domain/series.ts';
import { avisoDeReloj, DESFASE_GRAVE_SEGUNDOS } from '../domain/verifactu/reloj.ts';
import { findReconcile } from '../store/cadenas.ts';
import { findCertificateDetails } from '../store/certificates.ts';
import { shared } from '../store/coalesced.ts';
import { findDespacho } from '../store/despachos.ts';
import { countByStatus } from '../store/invoice-lists.ts';
import { monthsSince } from '../store/months.ts';
import { findSeries } from '../store/series.ts';
import { readTogether } from '../store/sql.ts';
import { reconcileNeeded } from './assert-can-invoice.ts';
import { companyOf } from './company-of.ts';

/** What may be told of a company's certificate: a panel that opens asks twice at once. */
export const certificateOf = shared(findCertificateDetails);

/** How things stand with the AEAT: what waits, since when, why, and when the next try is. */
export async function describeConexion(
  { sql, clock }: Deps,
  companyId: number,
): Promise<ConexionAEAT> {
  const [certificate, [despacho, counts, reconcile]] = await Promise.all([
    certificateOf(sql, companyId),
    readTogether(sql, (tx) => [
      findDespacho(tx, companyId),
      countByStatus(tx, companyId),
      findReconcile(tx, companyId),
    ]),
  ]);
  const mensaje =
    reconcile.reconcilePeriodos.length > 0 ? reconcileNeeded(reconcile) : despacho?.lastError;
  const count = (status: Parameters<typeof counts.get>[0]) => counts.get(status) ?? 0;
  const isWaiting = count('En espera') > 0;
  const isStopped = count('Rechazado') > 0 && isWaiting;
  const hasFailed = (despacho?.failures ?? 0) > 0;
  const estado =
    !certificate || certificate.validoHasta <= clock()
      ? 'sin-certificado'
      : despacho?.detenidoAt
        ? 'detenido'
        : isStopped
          ? 'parado'
          : hasFailed
            ? 'sin-conexion'
            : isWaiting
              ? 'enviando'
              : 'al-dia';
  return {
    estado,
    enEspera: count('En espera'),
    aceptadas: count('historial') + count('Aceptado con errores'),
    teNecesitan: count('Rechazado') + count('Aceptado con errores'),
    borradores: count('Borrador'),
    ...(isWaiting && despacho?.waitingSince
      ? { esperandoDesde: despacho.waitingSince.toISOString() }
      : {}),
    ...(isWaiting && !isStopped && despacho && !despacho.detenidoAt
      ? { proximoEnvio: despacho.nextEnvioAt.toISOString() }
      : {}),
    ...(mensaje ? { mensaje } : {}),
    ...(typeof despacho?.desfaseSegundos === 'number' && {
      desfaseSegundos: despacho.desfaseSegundos,
    }),
    avisos: avisosOf(despacho?.desfaseSegundos ?? null, certificate?.validoHasta, clock()),
  };
}

function avisosOf(
  desfase: number | null,
  validoHasta: Date | undefined,
  now: Date,
): ConexionAEAT['avisos'] {
  const reloj = avisoDeReloj(desfase);
  const certificado = validoHasta && avisoDeCaducidad(validoHasta, now);
  return [
    ...(certificado ? [{ tipo: 'certificado' as const, ...certificado }] : []),
    ...(reloj
      ? [
          {
            tipo: 'reloj' as const,
            gravedad:
              Math.abs(desfase ?? 0) >= DESFASE_GRAVE_SEGUNDOS
                ? ('grave' as const)
                : ('aviso' as const),
            mensaje: reloj,
          },
        ]
      : []),
  ];
}

/** The figures of Inicio. Annulled invoices do not count. */
export async function describeResumen({ sql, clock }: Deps, companyId: number): Promise<Resumen> {
  const now = clock();
  // Asked together, so the time zone is not known yet: one month more is read, for in Canarias it may still be the
  // month before, and what is not shown is left out.
  const [company, rows] = await Promise.all([
    companyOf({ sql }, companyId),
    monthsSince(
      sql,
      companyId,
      `${lastMonths(isoDateIn(now, 'Atlantic/Canary').slice(0, 7), 12)[0]}-01`,
    ),
  ]);
  const months = lastMonths(
    isoDateIn(now, zonaOf(company.postCode, company.countryCode)).slice(0, 7),
    12,
  );
  const byMonth = new Map(rows.map((row) => [row.month, row]));
  const sum = (keys: readonly string[], field: 'base' | 'vat' | 'total') =>
    centsToNumber(
      keys.reduce((total, key) => total + textToCents(byMonth.get(key)?.[field] ?? '0'), 0n),
    );
  const countOf = (keys: readonly string[]) =>
    keys.reduce((total, key) => total + (byMonth.get(key)?.count ?? 0), 0);

  const current = months.at(-1) as string;
  const previous = months.at(-2) as string;
  const quarter = months.filter((month) => quarterOf(month) === quarterOf(current));
  const lastQuarter = months.filter(
    (month) => quarterOf(month) === quarterOf(lastMonths(quarter[0] as string, 2)[0] as string),
  );
  return {
    mes: {
      base: sum([current], 'base'),
      iva: sum([current], 'vat'),
      total: sum([current], 'total'),
      facturas: countOf([current]),
    },
    mesAnterior: { base: sum([previous], 'base') },
    trimestre: { base: sum(quarter, 'base'), iva: sum(quarter, 'vat'), facturas: countOf(quarter) },
    trimestreAnterior: { base: sum(lastQuarter, 'base') },
    meses: months.map((mes) => ({ mes, base: sum([mes], 'base') })),
  };
}

/** The numbers that the next registered invoice of each series would take, now. */
export async function describeProximosNumeros(
  { sql }: Deps,
  companyId: number,
): Promise<ProximosNumeros> {
  const series = await findSeries(sql, companyId);
  return Object.fromEntries(
    SERIES_KINDS.map((kind) => {
      const open = series.get(kind);
      return [kind, open ? formatNoSerie(open) : ''];
    }),
  ) as ProximosNumeros;
}

/** `('2026-02', 3)` → `['2025-12', '2026-01', '2026-02']` */
function lastMonths(month: string, count: number): string[] {
  const months = [month];
  while (months.length < count) {
    months.unshift(addDays(`${months[0]}-01`, -1).slice(0, 7));
  }
  return months;
}

/** `'2026-11'` → `'2026-4'` */
function quarterOf(month: string): string {
  return `${month.slice(0, 4)}-${Math.ceil(Number(month.slice(5)) / 3)}`;
}
