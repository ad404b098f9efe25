import type { DetalleDesglose, Persona, RegistroAlta } from '../structure-tables.ts';
import { hundredths, isoDate } from '../values.ts';

/** An alta as the rules need it: numbers in hundredths, dates as `yyyy-mm-dd`. */
export interface AltaView {
  readonly registro: RegistroAlta;
  readonly tipoFactura: string;
  readonly isRectificativa: boolean;
  /** Undefined when there is no such day in the calendar. */
  readonly expedicion: string | undefined;
  readonly operacion: string | undefined;
  /** The date that determines the rates: that of the operation or, without one, of the issue. */
  readonly devengo: string;
  readonly destinatarios: readonly Persona[];
  readonly lineas: readonly LineaView[];
  readonly cuotaTotal: bigint;
  readonly importeTotal: bigint;
}

/** A line of the desglose. */
export interface LineaView {
  readonly alta: AltaView;
  readonly impuesto: string;
  readonly isIva: boolean;
  readonly isIgic: boolean;
  readonly isIpsi: boolean;
  readonly clave: string | undefined;
  readonly calificacion: string | undefined;
  readonly exenta: string | undefined;
  readonly tipo: bigint | undefined;
  readonly base: bigint;
  readonly coste: bigint | undefined;
  readonly cuota: bigint | undefined;
  readonly tipoRecargo: bigint | undefined;
  readonly cuotaRecargo: bigint | undefined;
}

/** Only for a registro whose values have the right type. */
export function altaView(registro: RegistroAlta): AltaView {
  const expedicion = isoDate(registro.IDFactura.FechaExpedicionFactura);
  const operacion = registro.FechaOperacion && isoDate(registro.FechaOperacion);
  const lineas: LineaView[] = [];
  const view: AltaView = {
    registro,
    tipoFactura: registro.TipoFactura,
    isRectificativa: registro.TipoFactura.startsWith('R'),
    expedicion,
    operacion,
    devengo: operacion ?? expedicion ?? '',
    destinatarios: registro.Destinatarios?.IDDestinatario ?? [],
    lineas,
    cuotaTotal: hundredths(registro.CuotaTotal),
    importeTotal: hundredths(registro.ImporteTotal),
  };
  for (const detalle of registro.Desglose.DetalleDesglose) lineas.push(lineaView(view, detalle));
  return view;
}

function lineaView(alta: AltaView, detalle: DetalleDesglose): LineaView {
  const impuesto = detalle.Impuesto ?? '01';
  const optional = (literal: string | undefined) => (literal ? hundredths(literal) : undefined);
  return {
    alta,
    impuesto,
    isIva: impuesto === '01',
    isIpsi: impuesto === '02',
    isIgic: impuesto === '03',
    clave: detalle.ClaveRegimen,
    calificacion: detalle.CalificacionOperacion,
    exenta: detalle.OperacionExenta,
    tipo: optional(detalle.TipoImpositivo),
    base: hundredths(detalle.BaseImponibleOimporteNoSujeto),
    coste: optional(detalle.BaseImponibleACoste),
    cuota: optional(detalle.CuotaRepercutida),
    tipoRecargo: optional(detalle.TipoRecargoEquivalencia),
    cuotaRecargo: optional(detalle.CuotaRecargoEquivalencia),
  };
}
