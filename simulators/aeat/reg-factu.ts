import { randomInt } from 'node:crypto';
import { madridTimestamp } from '../clock.ts';
import { respuestaSuministro } from './answers.ts';
import type { Behaviour } from './behaviour.ts';
import { checkCabecera, readCabecera } from './cabecera.ts';
import type { Holder } from './certificates/holder.ts';
import { meaningOf } from './codes.ts';
import { Fault } from './fault.ts';
import { judge } from './judge.ts';
import { NS } from './namespaces.ts';
import { isNifPersona } from './nif.ts';
import { idFacturaOf, type Registro, readRegistro } from './registro.ts';
import { type Context, RULES_OF_2027 } from './rules/context.ts';
import type { Presentacion, Store } from './store.ts';
import type { Cabecera } from './structure-tables.ts';
import type { XmlNode } from './xml.ts';

const MAX_REGISTROS = 1000;

export interface Service {
  readonly store: Store;
  readonly behaviour: Behaviour;
  readonly now: () => Date;
}

/**
 * `RegFactuSistemaFacturacion`: judges the registros one after the other, each seeing what the
 * earlier ones left, and stores the good ones before answering.
 *
 * @throws {Fault} nothing of the message is stored.
 */
export async function regFactu(
  message: XmlNode,
  holder: Holder,
  { store, behaviour, now }: Service,
): Promise<string> {
  const { cabecera, registros } = readMessage(message);
  const instant = now();
  const context = contextOf(cabecera, store, behaviour, instant);
  refuseIfAsked(cabecera.ObligadoEmision.NIF, behaviour);
  checkCabecera(cabecera, holder, context);
  if (registros.some((leido) => behaviour.defectuosos.has(idFacturaOf(leido).NumSerieFactura))) {
    throw missing('Desglose');
  }

  const presentacion = presentacionOf(cabecera, holder, instant);
  const lineas = registros.map((leido) => {
    const verdict = judge(leido, context, store, behaviour);
    if (verdict.EstadoRegistro !== 'Incorrecto') {
      const { EstadoRegistro, CodigoErrorRegistro, DescripcionErrorRegistro } = verdict;
      const { wrong: _, ...guardado } = leido;
      store.add(presentacion, {
        ...guardado,
        EstadoRegistro,
        CodigoErrorRegistro,
        DescripcionErrorRegistro,
      });
    }
    return { ...operationOf(leido), ...verdict };
  });
  await store.commit(presentacion);
  return respuestaSuministro(presentacion, cabecera, behaviour.takeTiempoEspera(), lineas);
}

function readMessage(message: XmlNode): { cabecera: Cabecera; registros: Registro[] } {
  const [first, ...rest] = message.children;
  if (first?.name !== 'Cabecera' || first.uri !== NS.suministro) throw missing('Cabecera');
  const stranger = rest.find(
    ({ name, uri }) => name !== 'RegistroFactura' || uri !== NS.suministro,
  );
  if (stranger) {
    throw new Fault(4102, `El XML no cumple el esquema. Elemento no esperado: ${stranger.name}`);
  }
  if (rest.length === 0) throw missing('RegistroFactura');
  if (rest.length > MAX_REGISTROS) {
    throw new Fault(
      4113,
      'El XML no cumple el esquema: más de 1000 repeticiones del bloque RegistroFactura',
    );
  }
  return { cabecera: readCabecera(first), registros: rest.map(readRegistro) };
}

function missing(name: string): Fault {
  return new Fault(4102, `El XML no cumple el esquema. Falta informar campo obligatorio.: ${name}`);
}

/** A suspended access (4141) and the like, configured on the control page. */
function refuseIfAsked(obligado: string, { rechazar }: Behaviour): void {
  const code = rechazar.get(obligado);
  if (code !== undefined && code >= 4100 && code < 4200) throw new Fault(code, meaningOf(code));
}

function contextOf(cabecera: Cabecera, store: Store, behaviour: Behaviour, instant: Date): Context {
  const obligado = cabecera.ObligadoEmision.NIF;
  return {
    obligado,
    nombreObligado: cabecera.ObligadoEmision.NombreRazon,
    now: instant,
    today: madridTimestamp(instant).slice(0, 10),
    isIncidencia: cabecera.RemisionVoluntaria?.Incidencia === 'S',
    isCensado: (nif) => !behaviour.nifsNoCensados.has(nif),
    mayPresent: (holder) => behaviour.mayActFor(obligado, holder),
    isIdentificado: (nif, nombre) => {
      const known = behaviour.censo.get(nif);
      const isNamed = known === undefined || !isNifPersona(nif) || sameName(known, nombre);
      return isNamed && !behaviour.nifsNoCensados.has(nif);
    },
    isInVies: (nifIva) =>
      (behaviour.vies?.has(nifIva) ?? true) && !behaviour.nifsNoCensados.has(nifIva),
    hasRulesOf2027: behaviour.reglas2027 ?? madridTimestamp(instant) >= RULES_OF_2027,
    hasAcuerdo: (numero) => behaviour.acuerdos.has(numero),
    knowsSistema: (registro) => store.knowsSistema(obligado, registro),
  };
}

/** Compares like a person: ignoring case, accents and blanks. */
function sameName(a: string, b: string): boolean {
  const plain = (name: string) =>
    name.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toUpperCase();
  return plain(a) === plain(b);
}

function presentacionOf(cabecera: Cabecera, holder: Holder, instant: Date): Presentacion {
  const TimestampPresentacion = madridTimestamp(instant);
  const digits = TimestampPresentacion.slice(0, 19).replace(/\D/g, '');
  return {
    NIF: cabecera.ObligadoEmision.NIF,
    NIFPresentador: holder.nif,
    TimestampPresentacion,
    IdPeticion: `${digits}${String(randomInt(1_000_000)).padStart(6, '0')}`,
    CSV: newCsv(),
    Incidencia: cabecera.RemisionVoluntaria?.Incidencia,
    NifRepresentante: cabecera.Representante?.NIF,
    FechaFinVeriFactu: cabecera.RemisionVoluntaria?.FechaFinVeriFactu,
  };
}

/** `A-` and 14 characters. */
function newCsv(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  let csv = 'A-';
  while (csv.length < 16) csv += alphabet[randomInt(alphabet.length)];
  return csv;
}

function operationOf(leido: Registro) {
  const { Subsanacion, SinRegistroPrevio, RechazoPrevio, RefExterna } = {
    Subsanacion: undefined,
    SinRegistroPrevio: undefined,
    ...leido.registro,
  };
  return {
    ...idFacturaOf(leido),
    TipoOperacion: leido.TipoRegistro,
    Subsanacion,
    RechazoPrevio,
    SinRegistroPrevio,
    RefExterna,
  };
}
