import { randomInt } from 'node:crypto';
import { madridTimestamp } from '../clock.ts';
import { type Linea, type RegistroDuplicado, respuestaSuministro } from './answers.ts';
import type { Behaviour } from './behaviour.ts';
import { checkCabecera, readCabecera } from './cabecera.ts';
import type { Holder } from './certificates/holder.ts';
import { meaningOf } from './codes.ts';
import { Fault } from './fault.ts';
import { NS } from './namespaces.ts';
import { idFacturaOf, type Registro, readRegistro } from './registro.ts';
import type { Context, Hallazgo } from './rules/context.ts';
import { existenceOfAlta, existenceOfAnulacion } from './rules/existence.ts';
import { rejectionOfAlta, rejectionOfAnulacion } from './rules/rejections.ts';
import { warningOfAlta, warningOfAnulacion } from './rules/warnings.ts';
import type { Entry, Presentacion, Store } from './store.ts';
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
  checkCabecera(cabecera, holder, context);

  const presentacion = presentacionOf(cabecera, holder, instant);
  const lineas = registros.map((leido) => {
    const verdict = judge(leido, context, behaviour);
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
  return respuestaSuministro(presentacion, cabecera, behaviour.tiempoEspera, lineas);
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

function contextOf(cabecera: Cabecera, store: Store, behaviour: Behaviour, instant: Date): Context {
  const obligado = cabecera.ObligadoEmision.NIF;
  return {
    obligado,
    now: instant,
    today: madridTimestamp(instant).slice(0, 10),
    isIncidencia: cabecera.RemisionVoluntaria?.Incidencia === 'S',
    isCensado: (nif) => !behaviour.nifsNoCensados.has(nif),
    hasAcuerdo: (numero) => behaviour.acuerdos.has(numero),
    latest: (numSerie, fecha) => store.latest(obligado, numSerie, fecha),
    knowsSistema: (registro) => store.knowsSistema(obligado, registro),
  };
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

type Verdict = Pick<
  Linea,
  'EstadoRegistro' | 'CodigoErrorRegistro' | 'DescripcionErrorRegistro' | 'RegistroDuplicado'
>;

/** One code per registro: types first, then the rules, then what exists, then the warnings. */
function judge(leido: Registro, context: Context, behaviour: Behaviour): Verdict {
  const [wrong] = leido.wrong;
  if (wrong) return withCode('Incorrecto', { code: wrong.code, detail: wrong.campo });
  const rejection = rejectionOf(leido, context) ?? forced(leido, behaviour.rechazar);
  if (rejection && !isWarning(rejection.code)) return withCode('Incorrecto', rejection);

  const { NumSerieFactura, FechaExpedicionFactura } = idFacturaOf(leido);
  const latest = context.latest(NumSerieFactura, FechaExpedicionFactura);
  const existence =
    leido.TipoRegistro === 'Alta'
      ? existenceOfAlta(leido.registro, latest)
      : existenceOfAnulacion(leido.registro, latest);
  if (existence !== 'ok') {
    return {
      ...withCode('Incorrecto', { code: existence }),
      RegistroDuplicado: existence === 3000 && latest ? duplicadoOf(latest) : undefined,
    };
  }
  const warning =
    rejection ?? forced(leido, behaviour.aceptarConErrores) ?? warningOf(leido, context);
  return warning ? withCode('AceptadoConErrores', warning) : { EstadoRegistro: 'Correcto' };
}

function rejectionOf(leido: Registro, context: Context): Hallazgo | undefined {
  return leido.TipoRegistro === 'Alta'
    ? rejectionOfAlta(leido.registro, context)
    : rejectionOfAnulacion(leido.registro, context);
}

function warningOf(leido: Registro, context: Context): Hallazgo | undefined {
  return leido.TipoRegistro === 'Alta'
    ? warningOfAlta(leido.registro, context)
    : warningOfAnulacion(leido.registro, context);
}

/** What the control page asked to do with this registro. */
function forced(leido: Registro, codes: ReadonlyMap<string, number>): Hallazgo | undefined {
  if (codes.size === 0) return undefined;
  const { IDEmisorFactura, NumSerieFactura } = idFacturaOf(leido);
  const destinatarios =
    leido.TipoRegistro === 'Alta' ? (leido.registro.Destinatarios?.IDDestinatario ?? []) : [];
  for (const key of [NumSerieFactura, IDEmisorFactura, ...destinatarios.map(({ NIF }) => NIF)]) {
    const code = key === undefined ? undefined : codes.get(key);
    if (code !== undefined) return { code };
  }
  return undefined;
}

function isWarning(code: number): boolean {
  return code >= 2000 && code < 3000;
}

function withCode(EstadoRegistro: 'AceptadoConErrores' | 'Incorrecto', hallazgo: Hallazgo) {
  return {
    EstadoRegistro,
    CodigoErrorRegistro: hallazgo.code,
    DescripcionErrorRegistro: meaningOf(hallazgo.code, hallazgo.detail),
  };
}

function duplicadoOf(latest: Entry): RegistroDuplicado {
  const { TipoRegistro, EstadoRegistro, CodigoErrorRegistro, DescripcionErrorRegistro } = latest;
  const accepted = EstadoRegistro === 'Correcto' ? 'Correcta' : 'AceptadaConErrores';
  return {
    IdPeticionRegistroDuplicado: latest.presentacion.IdPeticion,
    EstadoRegistroDuplicado: TipoRegistro === 'Anulacion' ? 'Anulada' : accepted,
    CodigoErrorRegistro,
    DescripcionErrorRegistro,
  };
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
