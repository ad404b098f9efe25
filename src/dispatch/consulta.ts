import { consultaXml, parseConsulta } from '../domain/verifactu/consulta.ts';
import { findCompany } from '../store/companies.ts';
import type { StoredRegistro } from '../store/registros.ts';
import type { Sender, TurnDeps } from './turn.ts';

/**
 * Asks the AEAT which huella it holds for each of these registros.
 *
 * @returns by place in the cadena; a registro it does not hold is missing. Null when the AEAT could
 *   not be asked, so that nobody takes silence for «it does not have it»
 */
export async function findHuellas(
  deps: TurnDeps,
  { companyId, certificate }: Sender,
  registros: readonly StoredRegistro[],
): Promise<Map<bigint, string> | null> {
  const held = new Map<bigint, string>();
  if (registros.length === 0) return held;
  const company = await findCompany(deps.sql, companyId);
  if (!company) return null;
  for (const registro of registros) {
    const message = consultaXml({
      ObligadoEmision: { NombreRazon: company.name, NIF: company.nif },
      ...periodoOf(registro),
      NumSerieFactura: registro.NumSerieFactura,
    });
    const outcome = await deps.client.post(certificate, Buffer.from(message), deps.signal);
    if (outcome.kind === 'no-answer') return null;
    const answer = parseConsulta(outcome.body);
    if (answer.kind !== 'consulta') return null;
    const row = answer.registros.find(
      (r) =>
        r.NumSerieFactura === registro.NumSerieFactura &&
        r.FechaExpedicionFactura === registro.FechaExpedicionFactura,
    );
    if (row) held.set(registro.seq, row.Huella);
  }
  return held;
}

/** The query's period is the month of the operation or, without one, of the issue (VERIFACTU §12). */
function periodoOf({ xml, FechaExpedicionFactura }: StoredRegistro): {
  Ejercicio: string;
  Periodo: string;
} {
  const operacion = /<sum1:FechaOperacion>(\d{2}-\d{2}-\d{4})</.exec(xml)?.[1];
  const fecha = operacion ?? FechaExpedicionFactura;
  return { Ejercicio: fecha.slice(6), Periodo: fecha.slice(3, 5) };
}
