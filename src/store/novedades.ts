import type { Novedades } from '../contract/novedades.ts';
import { nextNumber } from './counters.ts';
import type { Tx } from './sql.ts';

/**
 * The version of what a company's screens show, as two texts: they change with any change, whoever makes it.
 *
 * It is read from rows that are written anyway. Registering and annulling move the head of the cadena, sending and
 * answers the despacho, new drafts and imports their counters; any other change is recorded with `noteNovedad`.
 */
export async function findNovedades(tx: Tx, companyId: number): Promise<Novedades> {
  const [row] = await tx<{ facturas: bigint; cuenta: bigint }[]>`
    select hash_record_extended(row(
             c.last_seq, c.reconcile_periodos,
             d.enviado_hasta, d.rechazados, d.waiting_since, d.next_envio_at, d.failures, d.last_error,
             d.detenido_at,
             (select sum(last_number) from counters where company_id = ${companyId})), 0) as facturas,
           hash_record_extended(row(m.subscription_type, m.subscription_ends_at), 0) as cuenta
      from cadenas c
      join despachos d on d.company_id = c.company_id
      join companies m on m.id = c.company_id
     where c.company_id = ${companyId}`;
  if (!row) throw new Error(`The company ${companyId} has no cadena.`);
  return { facturas: String(row.facturas), cuenta: String(row.cuenta) };
}

/** Records a change of what a company's screens show that nothing else in `findNovedades` reveals. */
export async function noteNovedad(tx: Tx, companyId: number): Promise<void> {
  await nextNumber(tx, companyId, 'novedades');
}
