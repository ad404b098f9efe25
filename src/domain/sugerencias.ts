import { checkNif } from './nif.ts';
import { isUnionForVat } from './nif-iva.ts';
import { territoryOf } from './postal-code.ts';
import {
  type GrupoCliente,
  type Impuesto,
  isOrdinary,
  SITUACIONES,
  type Situacion,
  situacionById,
} from './situaciones.ts';

/** The data in a customer's card that determine what may be sold to it, and how. */
export interface ClienteSugerido {
  readonly countryCode: string;
  readonly postCode: string;
  readonly VATRegistrationNo: string;
  readonly CustomerPostingGroup: string;
}

/**
 * The situations that the customer's card makes likely, best first, among those that its group allows. Country, postal
 * code and kind of NIF are considered; the group has the last word.
 *
 * @param impuesto the one that the issuer charges
 */
export function sugerencias(cliente: ClienteSugerido, impuesto: Impuesto): Situacion[] {
  return likely(cliente, impuesto).flatMap((id) => {
    const situacion = situacionById(id);
    return situacion && admits(situacion, cliente.CustomerPostingGroup) ? [situacion] : [];
  });
}

/**
 * Proposals beside the chosen situation; none when that is likely enough, or when the user chose it. A form starts with
 * the usual tax, which nobody chose. That is accepted only if it is the likeliest one; otherwise a foreign company
 * would be charged VAT without anybody deciding so.
 *
 * @param isUsual whether it is the situation that the company's lines start with, which is as good as an ordinary sale
 */
export function propuestas(
  probables: readonly Situacion[],
  elegida: Situacion | null,
  { isChosen, isUsual = false }: { readonly isChosen: boolean; readonly isUsual?: boolean },
): readonly Situacion[] {
  if (isChosen) return [];
  const [first, ...others] = probables;
  if (!elegida || !first) return probables;
  if (elegida.id === first.id || (isUsual && isOrdinary(first))) return [];
  const isLikely = !isOrdinary(elegida) && others.some(({ id }) => id === elegida.id);
  return isLikely ? [] : probables.filter(({ id }) => id !== elegida.id);
}

/** The situations of an issuer, with those for a kind of customer separated from the others. */
export function situacionesPara(
  impuesto: Impuesto,
  typeClient: string,
): { readonly propias: readonly Situacion[]; readonly ajenas: readonly Situacion[] } {
  const all = SITUACIONES.filter((situacion) => situacion.impuesto === impuesto);
  return {
    propias: all.filter((situacion) => admits(situacion, typeClient)),
    ajenas: all.filter((situacion) => !admits(situacion, typeClient)),
  };
}

/** Public bodies: municipalities (P), administrations (Q, S) and others (V). */
const PUBLICO = /^[PQS]/;

function likely(cliente: ClienteSugerido, impuesto: Impuesto): readonly string[] {
  if (impuesto === '03') return ofCanarias(cliente);
  if (impuesto === '02') return ofCeutaMelilla(cliente);
  switch (placeOf(cliente)) {
    case 'spain': {
      if (cliente.CustomerPostingGroup === 'NACRE') return ['recargo', 'recargo-servicio'];
      const check = checkNif(cliente.VATRegistrationNo);
      const isPublic = check.ok && PUBLICO.test(check.nif);
      return isPublic ? ['venta-nacional', 'obra-publica'] : ['venta-nacional'];
    }
    case 'islands':
      return isPersona(cliente)
        ? ['hecho-en-espana', 'bienes-canarias', 'servicio-canarias']
        : ['servicio-canarias', 'bienes-canarias', 'hecho-en-espana'];
    case 'union':
      return cliente.CustomerPostingGroup === 'UE'
        ? ['servicio-ue', 'bienes-ue']
        : ['hecho-en-espana'];
    case 'abroad':
      return isPersona(cliente)
        ? ['hecho-en-espana', 'exportacion', 'servicio-exterior']
        : ['servicio-exterior', 'exportacion', 'hecho-en-espana'];
  }
}

/**
 * A consumer of the Union or, with the NIF of a person, a consumer or a self-employed one. Services to a consumer are
 * taxed where their provider is established (Ley 37/1992 art. 69.Uno.2.º, Ley 20/1991 art. 17.Uno.2.º).
 */
function isPersona({ VATRegistrationNo, CustomerPostingGroup }: ClienteSugerido): boolean {
  const check = checkNif(VATRegistrationNo);
  return CustomerPostingGroup === 'UEPART' || (check.ok && check.kind === 'persona');
}

function ofCanarias(cliente: ClienteSugerido): readonly string[] {
  const place = placeOf(cliente);
  if (place === 'union' || place === 'abroad') {
    return isPersona(cliente)
      ? ['igic', 'igic-exportacion', 'igic-servicio-exterior']
      : ['igic-servicio-ue', 'igic-servicio-exterior', 'igic-exportacion'];
  }
  const territory = territoryOf(cliente.postCode);
  if (territory === 'canarias' || isOverTheCounter(cliente)) return ['igic'];
  const servicio =
    territory === 'ceuta-melilla' ? 'igic-servicio-ceuta' : 'igic-servicio-peninsula';
  if (isPersona(cliente)) return ['igic', 'igic-exportacion', servicio];
  return territory === 'ceuta-melilla'
    ? [servicio, 'igic-exportacion']
    : [servicio, 'igic-exportacion', 'igic'];
}

function ofCeutaMelilla(cliente: ClienteSugerido): readonly string[] {
  const place = placeOf(cliente);
  if (place === 'union' || place === 'abroad') {
    return isPersona(cliente)
      ? ['ipsi', 'ipsi-exportacion', 'ipsi-servicio-exterior']
      : ['ipsi-servicio-ue', 'ipsi-servicio-exterior', 'ipsi-exportacion'];
  }
  if (territoryOf(cliente.postCode) === 'ceuta-melilla' || isOverTheCounter(cliente)) {
    return ['ipsi'];
  }
  return isPersona(cliente)
    ? ['ipsi', 'ipsi-exportacion', 'ipsi-servicio-peninsula']
    : ['ipsi-servicio-peninsula', 'ipsi-exportacion', 'ipsi'];
}

/** The default customer of simplified invoices, of whom nothing is known except that they buy here. */
function isOverTheCounter({ VATRegistrationNo, postCode }: ClienteSugerido): boolean {
  return VATRegistrationNo === '' && postCode === '';
}

function placeOf({ countryCode, postCode, CustomerPostingGroup }: ClienteSugerido) {
  if (countryCode === 'ES') {
    const isIslands = ['canarias', 'ceuta-melilla'].includes(territoryOf(postCode));
    return isIslands || CustomerPostingGroup === 'CAN' ? 'islands' : 'spain';
  }
  return isUnionForVat(countryCode) ? 'union' : 'abroad';
}

function admits({ clientes }: Situacion, typeClient: string): boolean {
  return clientes.includes(typeClient as GrupoCliente);
}
