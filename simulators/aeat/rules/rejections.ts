import { isNifPersona } from '../nif.ts';
import type { RegistroAlta, RegistroAnulacion, SistemaInformatico } from '../structure-tables.ts';
import { ALTA_RULES, PRESENCE_RULES } from './alta.ts';
import type { AltaView } from './alta-view.ts';
import type { Context, Hallazgo } from './context.ts';
import { DESGLOSE_RULES } from './desglose.ts';
import { ENCADENAMIENTO_RULES, ID_FACTURA_RULES } from './id-factura.ts';
import {
  DESTINATARIO_RULES,
  GENERADOR_RULES,
  type Party,
  PRODUCTOR_RULES,
  TERCERO_RULES,
} from './parties.ts';
import { firstBroken, type Rule } from './rule.ts';

/** First rule that rejects an alta, in the order of the AEAT's document. */
export function rejectionOfAlta(alta: AltaView, context: Context): Hallazgo | undefined {
  const { registro } = alta;
  const check = <S>(rules: readonly Rule<S>[], subject: S) => firstBroken(rules, subject, context);
  return (
    nombreObligado(context) ??
    found(check(ID_FACTURA_RULES, registro.IDFactura)) ??
    found(check(ALTA_RULES, alta)) ??
    found(check(PRESENCE_RULES, alta)) ??
    partiesOf(alta, context) ??
    firstOf(alta.lineas, (linea) => found(check(DESGLOSE_RULES, linea))) ??
    found(check([LIMITE_F2], alta)) ??
    common(registro, alta.devengo, context)
  );
}

/** First rule that rejects an anulación. */
export function rejectionOfAnulacion(
  registro: RegistroAnulacion,
  context: Context,
): Hallazgo | undefined {
  const { IDFactura, GeneradoPor, Generador } = registro;
  const idFactura = {
    IDEmisorFactura: IDFactura.IDEmisorFacturaAnulada,
    NumSerieFactura: IDFactura.NumSerieFacturaAnulada,
    FechaExpedicionFactura: IDFactura.FechaExpedicionFacturaAnulada,
  };
  const bothOrNone = (GeneradoPor === undefined) === (Generador === undefined);
  return (
    nombreObligado(context) ??
    found(firstBroken(ID_FACTURA_RULES, idFactura, context)) ??
    (bothOrNone ? undefined : { code: 1224 }) ??
    (Generador &&
      partyFinding('Generador', GENERADOR_RULES, context, {
        ...Generador,
        generadoPor: GeneradoPor,
        devengo: context.today,
      })) ??
    common(registro, context.today, context)
  );
}

/** 3,000 € for a simplificada, with the tolerance of 10. */
const LIMITE_F2: Rule<AltaView> = {
  code: 1150,
  when: ({ tipoFactura, registro }) =>
    tipoFactura === 'F2' &&
    registro.NumRegistroAcuerdoFacturacion === undefined &&
    registro.FacturaSinIdentifDestinatarioArt61d !== 'S',
  must: ({ lineas }) =>
    lineas.reduce((sum, { base, cuota = 0n }) => sum + base + cuota, 0n) <= 3_010_00n,
};

/** A natural person is identified by NIF and name together. */
function nombreObligado({ obligado, nombreObligado: nombre }: Context): Hallazgo | undefined {
  return isNifPersona(obligado) && nombre === '' ? { code: 1282 } : undefined;
}

function partiesOf(alta: AltaView, context: Context): Hallazgo | undefined {
  const { registro, tipoFactura, devengo, destinatarios } = alta;
  const { Tercero } = registro;
  return (
    (Tercero && partyFinding('Tercero', TERCERO_RULES, context, { ...Tercero, devengo })) ??
    firstOf(destinatarios, (destinatario) =>
      partyFinding('Destinatario', DESTINATARIO_RULES, context, {
        ...destinatario,
        tipoFactura,
        devengo,
      }),
    )
  );
}

/** The rules that altas and anulaciones share. */
function common(
  registro: {
    SistemaInformatico: SistemaInformatico;
    Encadenamiento: RegistroAlta['Encadenamiento'];
  },
  devengo: string,
  context: Context,
): Hallazgo | undefined {
  const productor = { ...registro.SistemaInformatico, devengo };
  return (
    found(firstBroken(ENCADENAMIENTO_RULES, registro, context)) ??
    partyFinding('SistemaInformatico', PRODUCTOR_RULES, context, productor)
  );
}

/** For a party, the AEAT also says which block and which NIF it was. */
function partyFinding(
  bloque: string,
  rules: readonly Rule<Party>[],
  context: Context,
  party: Party,
): Hallazgo | undefined {
  const code = firstBroken(rules, party, context);
  if (code === undefined) return undefined;
  const id = party.NIF ? `NIF:${party.NIF}` : `ID:${party.IDOtro?.ID ?? ''}`;
  return { code, detail: `bloque ${bloque}. ${id}. NOMBRE_RAZON:${party.NombreRazon}` };
}

function found(code: number | undefined): Hallazgo | undefined {
  return code === undefined ? undefined : { code };
}

function firstOf<T>(items: readonly T[], find: (item: T) => Hallazgo | undefined) {
  for (const item of items) {
    const hallazgo = find(item);
    if (hallazgo) return hallazgo;
  }
  return undefined;
}
