/** The catalogs that a company starts with. Sources and dates are in README.md of this folder. */

import type { Territory } from '../postal-code.ts';
import { gruposDeSituaciones, type Impuesto, SITUACIONES } from '../situaciones.ts';
import type { VatGroup } from '../vat.ts';
import clavesRegimenJson from './claves-regimen.json' with { type: 'json' };
import formasPagoJson from './formas-pago.json' with { type: 'json' };
import gruposContablesJson from './grupos-contables.json' with { type: 'json' };
import gruposIvaJson from './grupos-iva.json' with { type: 'json' };
import paisesJson from './paises.json' with { type: 'json' };
import terminosPagoJson from './terminos-pago.json' with { type: 'json' };
import unidadesJson from './unidades.json' with { type: 'json' };

export interface Pais {
  /** ISO 3166-1 alpha-2. */
  readonly value: string;
  readonly label: string;
  readonly ue: boolean;
}

export interface ClaveRegimen {
  readonly value: string;
  readonly label: string;
  readonly impuesto: string;
  /** What the invoice must say under that regime. */
  readonly leyenda?: string;
}

export interface FormaPago {
  readonly Code: string;
  readonly Description: string;
  readonly requiereIban: boolean;
}

export interface TerminoPago {
  readonly Code: string;
  readonly Description: string;
  readonly Dias: number;
  /** The last day of the month of (date + Dias). */
  readonly finDeMes?: boolean;
  readonly plazos?: readonly { readonly dias: number; readonly porcentaje: number }[];
}

export interface Unidad {
  readonly Code: string;
  readonly Description: string;
}

export interface GrupoContable {
  readonly value: string;
  readonly label: string;
}

export const paises: readonly Pais[] = paisesJson;
export const formasPago: readonly FormaPago[] = formasPagoJson;
export const terminosPago: readonly TerminoPago[] = terminosPagoJson;
export const unidades: readonly Unidad[] = unidadesJson;
export const gruposContables: readonly GrupoContable[] = gruposContablesJson;

/** Keys of lists L8A and L8B, and those of IPSI (AEAT validations 1.2.2, code 2009), whose meanings differ. */
const clavesRegimenIva: readonly ClaveRegimen[] = clavesRegimenJson.L8A_IVA;
const clavesRegimenIgic: readonly ClaveRegimen[] = clavesRegimenJson.L8B_IGIC;
const clavesRegimenIpsi: readonly ClaveRegimen[] = clavesRegimenJson.L8_IPSI;

const EMISOR: Readonly<Record<Territory, string | undefined>> = {
  peninsula: undefined,
  foral: undefined,
  canarias: 'CANARIAS',
  'ceuta-melilla': 'CEUTA_MELILLA',
};

/**
 * The taxes of a company by the territory of its address: IVA, IGIC in the Canaries, IPSI in Ceuta and Melilla. The
 * rates come from the catalog, including closed ones (`activo: false`, for rectifying); everything else comes from
 * the table of situations.
 */
export function gruposIva(territory: Territory): VatGroup[] {
  const emisor = EMISOR[territory];
  const own = (gruposIvaJson as readonly VatGroup[]).filter((group) => group.emisor === emisor);
  const rates =
    emisor === undefined
      ? own
      : gruposContables.flatMap(({ value }) =>
          own.map((group) => ({ ...group, VATBusPostingGroup: value })),
        );
  return withSituaciones(rates);
}

const SITUATION_TAXES: ReadonlySet<string> = new Set(
  SITUACIONES.flatMap(({ codigos, CalificacionOperacion }) =>
    codigos
      .filter(({ tipo }) => CalificacionOperacion !== 'S1' || tipo !== undefined)
      .map(({ tax }) => tax),
  ),
);

/** A company's own rates with today's table of situations, whatever it started with. */
export function withSituaciones(groups: readonly VatGroup[]): VatGroup[] {
  const Impuesto = (groups[0]?.verifactu.Impuesto ?? '01') as Impuesto;
  const rates = groups.filter(
    ({ VATProdPostingGroup }) => !SITUATION_TAXES.has(VATProdPostingGroup),
  );
  return [...rates, ...gruposDeSituaciones(Impuesto)];
}

/** The claves de régimen of the territory's tax. */
export function clavesRegimen(territory: Territory): readonly ClaveRegimen[] {
  if (territory === 'canarias') return clavesRegimenOf('03');
  return clavesRegimenOf(territory === 'ceuta-melilla' ? '02' : '01');
}

/** The claves de régimen of a tax of list L1. */
export function clavesRegimenOf(impuesto: string): readonly ClaveRegimen[] {
  if (impuesto === '03') return clavesRegimenIgic;
  return impuesto === '02' ? clavesRegimenIpsi : clavesRegimenIva;
}

/** An entry of a catalog, as an option of a select. */
export function byCode({ Code, Description }: TerminoPago | FormaPago | Unidad) {
  return { value: Code, label: Description };
}

export function paisOf(code: string): Pais | undefined {
  return paisesByCode.get(code);
}

const paisesByCode = new Map(paises.map((pais) => [pais.value, pais]));
