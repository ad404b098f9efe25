import type { Behaviour } from './behaviour.ts';
import type { Holder } from './certificates/holder.ts';
import { meaningOf } from './codes.ts';
import { type Consultado, respuestaConsulta } from './consulta-answer.ts';
import { Fault } from './fault.ts';
import { isNif } from './nif.ts';
import type { Entry, RegistroGuardado, Store } from './store.ts';
import { readBlock, type WrongValue } from './structure.ts';
import { type Consulta, TABLES } from './structure-tables.ts';
import { isoDate } from './values.ts';
import type { XmlNode } from './xml.ts';

/** Registros read from the disk at a time. */
const READ_AHEAD = 200;

/**
 * `ConsultaFactuSistemaFacturacion`: the latest registro of each invoice of a month, in order of
 * presentation and by pages.
 *
 * @throws {Fault} for whatever is wrong: there are no lines here to reject.
 */
export async function consultaFactu(
  message: XmlNode,
  holder: Holder,
  { store, behaviour }: { store: Store; behaviour: Behaviour },
): Promise<string> {
  const consulta = readConsulta(message);
  checkConsulta(consulta, holder, behaviour);
  const size = behaviour.registrosPorConsulta;
  const found = await search(consulta, holder, store, size + 1);
  return respuestaConsulta(consulta, found.slice(0, size), { hasMore: found.length > size });
}

function readConsulta(message: XmlNode): Consulta {
  const wrong: WrongValue[] = [];
  const consulta = readBlock(TABLES.Consulta, message, wrong);
  const [first] = wrong;
  if (first) throw new Fault(first.code, meaningOf(first.code, first.campo));
  return consulta;
}

function checkConsulta(
  { Cabecera, FiltroConsulta, ...rest }: Consulta,
  holder: Holder,
  behaviour: Behaviour,
): void {
  const { ObligadoEmision, Destinatario, IndicadorRepresentante } = Cabecera;
  const fail = (code: number) => new Fault(code, meaningOf(code));
  if (ObligadoEmision) {
    if (!isNif(ObligadoEmision.NIF)) throw fail(4116);
    // Whoever made the registros may query their own; anybody else, all those of an obligado that allows it.
    const mayAsk = IndicadorRepresentante || behaviour.mayActFor(ObligadoEmision.NIF, holder.nif);
    if (!mayAsk) throw fail(4112);
  }
  if (Destinatario) {
    if (IndicadorRepresentante) throw fail(1261);
    if (!behaviour.mayActFor(Destinatario.NIF, holder.nif)) throw fail(4132);
    if (rest.DatosAdicionalesRespuesta?.MostrarSistemaInformatico === 'S') throw fail(1272);
  }
  const rango = FiltroConsulta.FechaExpedicionFactura?.RangoFechaExpedicion;
  const desde = rango?.Desde && isoDate(rango.Desde);
  const hasta = rango?.Hasta && isoDate(rango.Hasta);
  if (desde && hasta && desde >= hasta) throw fail(1250);
}

/** At most `limit`, from after the page key on. */
async function search(
  consulta: Consulta,
  holder: Holder,
  store: Store,
  limit: number,
): Promise<Consultado[]> {
  const candidates = candidatesOf(consulta, holder, store);
  const found: Consultado[] = [];
  for (let at = 0; at < candidates.length && found.length < limit; at += READ_AHEAD) {
    const entries = candidates.slice(at, at + READ_AHEAD);
    const guardados = await Promise.all(entries.map((entry) => store.read(entry)));
    for (const [index, entry] of entries.entries()) {
      const guardado = guardados[index] as RegistroGuardado;
      if (matches(guardado, entry, consulta)) found.push({ entry, guardado });
    }
  }
  return found.slice(0, limit);
}

/** The filters that memory alone can decide. */
function candidatesOf(consulta: Consulta, holder: Holder, store: Store): Entry[] {
  const { Cabecera, FiltroConsulta: filtro } = consulta;
  const { PeriodoImputacion, NumSerieFactura, ClavePaginacion } = filtro;
  const periodo = `${PeriodoImputacion.Ejercicio}-${PeriodoImputacion.Periodo}`;
  const nifs = Cabecera.ObligadoEmision ? [Cabecera.ObligadoEmision.NIF] : store.obligados();
  const entries = nifs
    .flatMap((nif) => store.entries(nif))
    .filter(
      (entry) =>
        entry.periodo === periodo &&
        (!NumSerieFactura || entry.NumSerieFactura === NumSerieFactura) &&
        (!Cabecera.IndicadorRepresentante || entry.presentacion.NifRepresentante === holder.nif) &&
        isIssuedWithin(entry, filtro.FechaExpedicionFactura) &&
        store.isLatest(entry),
    );
  if (!ClavePaginacion) return entries;
  const last = entries.findIndex(
    (entry) =>
      entry.presentacion.NIF === ClavePaginacion.IDEmisorFactura &&
      entry.NumSerieFactura === ClavePaginacion.NumSerieFactura &&
      entry.FechaExpedicionFactura === ClavePaginacion.FechaExpedicionFactura,
  );
  return entries.slice(last + 1);
}

type FiltroFecha = NonNullable<Consulta['FiltroConsulta']['FechaExpedicionFactura']>;

function isIssuedWithin(entry: Entry, filtro: FiltroFecha | undefined): boolean {
  if (!filtro) return true;
  const { FechaExpedicionFactura, RangoFechaExpedicion } = filtro;
  if (FechaExpedicionFactura && entry.FechaExpedicionFactura !== FechaExpedicionFactura) {
    return false;
  }
  const day = isoDate(entry.FechaExpedicionFactura) ?? '';
  const { Desde, Hasta } = RangoFechaExpedicion ?? {};
  return (!Desde || day >= (isoDate(Desde) ?? '')) && (!Hasta || day <= (isoDate(Hasta) ?? ''));
}

/** The filters that need the whole registro. */
function matches(
  { TipoRegistro, registro }: RegistroGuardado,
  { presentacion }: Entry,
  { Cabecera, FiltroConsulta }: Consulta,
): boolean {
  const { Contraparte, SistemaInformatico: sistema, RefExterna } = FiltroConsulta;
  const destinatarios =
    TipoRegistro === 'Alta' ? (registro.Destinatarios?.IDDestinatario ?? []) : [];
  const isFor = (nif: string | undefined, id: string | undefined) =>
    destinatarios.some((one) => (nif ? one.NIF === nif : one.IDOtro?.ID === id));

  if (RefExterna && registro.RefExterna !== RefExterna) return false;
  if (Cabecera.Destinatario) {
    if (!isFor(Cabecera.Destinatario.NIF, undefined)) return false;
    if (Contraparte && presentacion.NIF !== Contraparte.NIF) return false;
  } else if (Contraparte && !isFor(Contraparte.NIF, Contraparte.IDOtro?.ID)) {
    return false;
  }
  if (!sistema) return true;
  const own = registro.SistemaInformatico;
  return (
    own.NIF === sistema.NIF &&
    own.IDOtro?.ID === sistema.IDOtro?.ID &&
    own.IdSistemaInformatico === sistema.IdSistemaInformatico &&
    own.NumeroInstalacion === sistema.NumeroInstalacion
  );
}
