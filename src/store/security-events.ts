import { cut } from '../domain/cut.ts';
import type { InvoiceEventKind, SecurityEventKind } from '../domain/security-events.ts';
import { MAX_DAYS } from './sessions.ts';
import type { Tx } from './sql.ts';

export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  readonly at: Date;
  readonly sid: string | null;
  /** Without its last part. */
  readonly address: string;
  readonly userAgent: string;
  readonly detail: string;
}

/** A security event, or something done with an invoice. */
export interface LoggedEvent extends Omit<SecurityEvent, 'kind'> {
  readonly kind: SecurityEventKind | InvoiceEventKind;
}

/** `cuenta`: who signed in and what was changed; `facturas`: what was registered and sent. */
export type LogPart = 'todo' | 'cuenta' | 'facturas';

interface LoggedEventRow {
  kind: LoggedEvent['kind'];
  at: Date;
  sid: string | null;
  address: string;
  user_agent: string;
  detail: string;
}

export async function insertSecurityEvent(
  tx: Tx,
  companyId: number,
  event: SecurityEvent,
): Promise<void> {
  await tx`
    insert into security_events (company_id, at, kind, sid, address, user_agent, detail)
    values (${companyId}, ${event.at}, ${event.kind}, ${event.sid}, ${event.address},
            ${event.userAgent.slice(0, 300)}, ${cut(event.detail, 300)})`;
}

/** How often something has happened to a company since then. */
export async function countSecurityEvents(
  tx: Tx,
  companyId: number,
  { kind, since }: { readonly kind: SecurityEventKind; readonly since: Date },
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from security_events
     where company_id = ${companyId} and at >= ${since} and kind = ${kind}`;
  return row?.count ?? 0;
}

/**
 * The log of a company, newest first: its security events, plus its registros, those that were given up and its
 * messages to the AEAT, read from their own tables. Each is read by its own key no further than the page needs.
 *
 * Where a registro was made from is what its session says, or what was recorded when that session was opened, at most
 * the life of a session earlier.
 */
export async function listSecurityEvents(
  tx: Tx,
  companyId: number,
  { limit, offset, part }: { limit: number; offset: number; part: LogPart },
): Promise<{ events: LoggedEvent[]; total: number }> {
  const reach = limit + offset;
  const [withAccount, withInvoices] = [part !== 'facturas', part !== 'cuenta'];
  const [rows, counts] = await Promise.all([
    tx<LoggedEventRow[]>`
      select l.at, l.kind, l.sid, l.detail,
             coalesce(l.address, s.address, o.address, '') as address,
             coalesce(l.user_agent, s.user_agent, o.user_agent, '') as user_agent
        from (select * from (
                (select company_id, at, 3 as source, id, kind, sid, address, user_agent, detail
                   from security_events
                  where company_id = ${companyId} and ${withAccount}
                  order by at desc, id desc limit ${reach})
                union all
                (select company_id, generated_at, 2, seq,
                        case when tipo_registro = 'Anulacion' then 'factura-anulada'
                             when subsanacion = 'S' then 'factura-subsanada'
                             else 'factura-registrada' end,
                        sid, null, null, num_serie_factura
                   from registros
                  where company_id = ${companyId} and ${withInvoices}
                  order by seq desc limit ${reach})
                union all
                (select company_id, created_at, 1, id, 'envio-aeat', null::uuid, '', '',
                        case when from_seq = to_seq then '1 registro'
                             else to_seq - from_seq + 1 || ' registros' end
                        || case estado_envio when 'Correcto' then ' · aceptado'
                                             when 'ParcialmenteCorrecto' then ' · aceptado en parte'
                                             when 'Incorrecto' then ' · rechazado'
                                             else ' · sin respuesta todavía' end
                        || coalesce(' · CSV ' || csv, '')
                   from envios
                  where company_id = ${companyId} and ${withInvoices}
                  order by id desc limit ${reach})
                union all
                (select d.company_id, d.at, 4, d.seq,
                        case when d.sin_enviar then 'factura-sin-enviar'
                             when d.sin_efecto then 'factura-sin-efecto'
                             else 'factura-dejada' end,
                        d.sid, null, null, r.num_serie_factura
                   from desistimientos d
                   join registros r on r.company_id = d.company_id and r.seq = d.seq
                  where d.company_id = ${companyId} and ${withInvoices}
                  order by d.at desc limit ${reach})
              ) as parts
              order by at desc, source desc, id desc
              limit ${limit} offset ${offset}) as l
        left join sessions s on s.company_id = ${companyId} and s.sid = l.sid and l.address is null
        left join lateral (
             select address, user_agent from security_events
              where company_id = ${companyId} and sid = l.sid and l.address is null and s.sid is null
                and at between l.at - make_interval(days => ${MAX_DAYS + 1}) and l.at
              order by at limit 1) as o on true
       order by l.at desc, l.source desc, l.id desc`,
    tx<{ total: number }[]>`
      select (case when ${withAccount}
                then (select count(*) from security_events where company_id = ${companyId}) else 0 end
            + case when ${withInvoices} -- The place of its last registro is how many it has.
                then (select last_seq from cadenas where company_id = ${companyId})
                   + (select count(*) from envios where company_id = ${companyId})
                   + (select count(*) from desistimientos where company_id = ${companyId})
                else 0 end)::integer
             as total`,
  ]);
  const events = rows.map(({ user_agent: userAgent, ...row }) => ({ ...row, userAgent }));
  return { events, total: counts[0]?.total ?? 0 };
}
