import {
  consultaXml,
  parseConsulta,
  type RegistroConsultado,
} from '../domain/verifactu/consulta.ts';
import type { ConsultarAeat } from '../operations/reconcile.ts';
import { findCompany } from '../store/companies.ts';
import type { StoredRegistro } from '../store/registros.ts';
import type { AeatClient } from './aeat-client.ts';
import type { Sender, TurnDeps } from './turn.ts';

/** The way for the rest of the product to ask the AEAT: through the client that dispatch talks with. */
export function consultarWith(client: AeatClient): ConsultarAeat {
  return async (certificate, consulta, signal) => {
    const message = Buffer.from(consultaXml(consulta));
    const outcome = await client.post(certificate, message, signal);
    return outcome.kind === 'no-answer' ? outcome : parseConsulta(outcome.body);
  };
}

/**
 * Asks the AEAT what it holds for each of these registros.
 *
 * @returns by place in the cadena; a registro it does not hold is missing. Null when the AEAT could
 *   not be asked, so that nobody takes silence for «it does not have it»
 */
export async function findHeld(
  deps: TurnDeps,
  { companyId, certificate }: Sender,
  registros: readonly StoredRegistro[],
): Promise<Map<bigint, RegistroConsultado> | null> {
  const held = new Map<bigint, RegistroConsultado>();
  if (registros.length === 0) return held;
  const company = await findCompany(deps.sql, companyId);
  if (!company) return null;
  for (const registro of registros) {
    const consulta = {
      ObligadoEmision: { NombreRazon: company.name, NIF: company.nif },
      ...periodoOf(registro),
      NumSerieFactura: registro.NumSerieFactura,
      muestraSistemaInformatico: true,
    };
    const answer = await consultarWith(deps.client)(certificate, consulta, deps.signal);
    if (answer.kind !== 'consulta') return null;
    const row = answer.registros.find(
      (r) =>
        r.NumSerieFactura === registro.NumSerieFactura &&
        r.FechaExpedicionFactura === registro.FechaExpedicionFactura,
    );
    if (row) held.set(registro.seq, row);
  }
  return held;
}

/** The query's period is the month of the operation or, without one, of the issue (VERIFACTU §12). */
export function periodoOf({ xml, FechaExpedicionFactura }: StoredRegistro): {
  Ejercicio: string;
  Periodo: string;
} {
  const operacion = /<sum1:FechaOperacion>(\d{2}-\d{2}-\d{4})</.exec(xml)?.[1];
  const fecha = operacion ?? FechaExpedicionFactura;
  return { Ejercicio: fecha.slice(6), Periodo: fecha.slice(3, 5) };
}
