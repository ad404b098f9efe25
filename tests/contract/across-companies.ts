/**
 * Statements that are not limited to one company, whole and on one line, by the reason why this is allowed. None of
 * them locks rows (Citus refuses to lock those of several companies), and none delays users who invoice.
 */
export const ACROSS: readonly { readonly why: string; readonly statements: readonly string[] }[] = [
  {
    why: 'Work that is due, of whichever company: it is read, and then taken company by company.',
    statements: [
      "select company_id from despachos where next_envio_at <= (now() + make_interval(secs => $1)) and waiting_since is not null and rechazados = 0 and detenido_at is null and (lease_until is null or lease_until not between now() and now() + interval '10 minutes') and not ( envio_id is not null and lease_until is not null and now() between lease_until and lease_until + make_interval(secs => wait_seconds)) and not exists ( select from cadenas k where k.company_id = despachos.company_id and k.reconcile_required_at is not null and k.reconcile_reason <> 'falta') order by next_envio_at limit $2",
      "select company_id from despachos where next_envio_set_at > (now() + make_interval(secs => $1)) + $2::interval and waiting_since is not null and rechazados = 0 and detenido_at is null and (lease_until is null or lease_until not between now() and now() + interval '10 minutes') and not ( envio_id is not null and lease_until is not null and now() between lease_until and lease_until + make_interval(secs => wait_seconds)) and not exists ( select from cadenas k where k.company_id = despachos.company_id and k.reconcile_required_at is not null and k.reconcile_reason <> 'falta') limit $3",
      "select company_id from data_copies where status = 'preparando' and (lease_until is null or lease_until not between now() and now() + interval '10 minutes') order by requested_at limit $1",
      'select company_id as "companyId", run_id is null as "isNew" from bc_connections where (run_id is not null and (lease_until is null or lease_until not between now() and now() + interval \'10 minutes\')) or (run_id is null and status = \'activa\' and next_run_at <= $1) order by next_run_at limit 20',
      'select c.company_id as "companyId", c.huella_certificado as huella, c.valido_hasta as "validoHasta" from certificates c join companies k on k.id = c.company_id where c.valido_hasta > $1 and c.valido_hasta <= $2 and k.deleted_at is null and not exists (select 1 from certificate_warnings w where w.company_id = c.company_id and w.huella_certificado = c.huella_certificado and w.days = $3) order by c.valido_hasta limit $4',
      'select c.id from companies c where c.deleted_at is null and c.subscription_ends_at > $1 and c.subscription_ends_at <= $2 and (c.id, c.subscription_ends_at) not in ( select n.company_id, n.ends_at from subscription_notices n where n.kind = $3 and n.ends_at > $4 and n.ends_at <= $5) order by c.subscription_ends_at limit $6',
      'select k.company_id from cadenas k join certificates c on c.company_id = k.company_id and c.valido_hasta > $1 where k.reconcile_required_at is not null and (k.reconcile_tried_at is null or k.reconcile_tried_at <= $2) order by k.reconcile_tried_at nulls first limit $3',
      "select company_id from register_runs where status in ('en-marcha', 'parando') and (lease_until is null or lease_until not between now() and now() + interval '10 minutes') order by lease_until limit 20",
      "select company_id, id from mail_jobs where sent_at is null and failed_at is null and (run_at <= $1 or run_at > $2::timestamptz + make_interval(secs => ($3::int[])[attempts + 1])) and (lease_until is null or lease_until not between now() and now() + interval '10 minutes') order by run_at limit $4",
    ],
  },
  {
    why: 'What has run out: companies that have some, whose rows go company by company.',
    statements: [
      'select company_id as "companyId" from "recovery_codes" where expires_at <= $1 limit $2',
      'select company_id as "companyId" from "sessions" where last_seen_at < $1 limit $2',
      'select company_id as "companyId" from "idempotency_keys" where created_at < $1 limit $2',
      'select company_id as "companyId" from "security_events" where at < $1::timestamptz - make_interval(years => $2) limit $3',
      'select company_id as "companyId" from "uploads" where uploaded_at < $1 and invoice_id is null limit $2',
      'select company_id as "companyId" from "upload_pages" where exists ( select from uploads u join invoices i on i.company_id = u.company_id and i.id = u.invoice_id where u.company_id = upload_pages.company_id and u.id = upload_pages.upload_id and i.status in (\'Registrada\', \'Anulada\')) limit $1',
      'select company_id as "companyId" from "data_copies" where expires_at <= $1 limit $2',
      'select company_id as "companyId" from "mail_jobs" where coalesce(sent_at, failed_at) < $1::timestamptz - interval \'1 year\' and invoice_id is null limit $2',
      'select company_id as "companyId" from "mail_jobs" where failed_at < $1 and kind = any($2::text[]) limit $3',
    ],
  },
  {
    why: 'How the whole installation is doing, for /metricas.',
    statements: [
      'select count(*) filter ( where d.failures > 0 and k.valido_hasta > $1 and w.days is null)::int as failing, count(*) filter ( where d.failures > 0 and k.valido_hasta > $2 and w.days is not null)::int as "certificadosRechazados", coalesce(sum(d.rechazados), 0)::int as rechazados, count(*) filter (where d.detenido_at is not null)::int as "enviosDetenidos" from despachos d join companies e on e.id = d.company_id left join certificates k on k.company_id = d.company_id left join certificate_warnings w on w.company_id = k.company_id and w.huella_certificado = k.huella_certificado and w.days = $3 where (d.failures > 0 or d.rechazados > 0 or d.detenido_at is not null) and e.deleted_at is null and not ($4 and e.subscription_type = \'Demo\')',
      "select count(*)::int as companies from despachos d join companies e on e.id = d.company_id where d.rechazados > 0 and e.deleted_at is null and not ($1 and e.subscription_type = 'Demo') and exists ( select from invoices i join respuestas a on a.company_id = i.company_id and a.seq = i.seq where i.company_id = d.company_id and i.status = 'Rechazado' and a.answered_at <= $2)",
      "select count(*) filter (where k.valido_hasta > $1)::int as detenidas, count(*) filter (where (k.valido_hasta > $2) is not true)::int as \"detenidasSinCertificado\" from cadenas c join companies e on e.id = c.company_id left join certificates k on k.company_id = c.company_id where c.reconcile_required_at is not null and c.reconcile_periodos <> '{}' and (c.last_seq > 0 or c.reconcile_reason <> 'copia') and e.deleted_at is null and not ($3 and e.subscription_type = 'Demo')",
      'select desfase_segundos as segundos from despachos where desfase_at <= now() order by desfase_at desc limit 1',
      "select coalesce(sum(c.last_seq - d.enviado_hasta), 0)::int as pendientes, min(d.waiting_since) filter ( where d.rechazados = 0 and d.detenido_at is null and k.valido_hasta > $1 and (d.failures > 0 and w.days is not null) is not true and (c.reconcile_required_at is null or c.reconcile_reason = 'falta') and not ($2 and e.subscription_type = 'Demo')) as since from despachos d join cadenas c on c.company_id = d.company_id join companies e on e.id = d.company_id left join certificates k on k.company_id = d.company_id left join certificate_warnings w on w.company_id = k.company_id and w.huella_certificado = k.huella_certificado and w.days = $3 where d.waiting_since is not null",
      'select count(*)::int as waiting, min(coalesce(not_taken_since, run_at)) filter (where not_taken_since is not null or attempts = 0) as "stuckSince" from mail_jobs where sent_at is null and failed_at is null',
      'select count(*)::int as count from mail_jobs where failed_at > $1 and sent_at is null and not_taken_since is not null',
      'select count(*) filter (where valido_hasta <= $1)::int as expired, count(*) filter (where valido_hasta > $2 and valido_hasta <= $3)::int as days7, count(*) filter (where valido_hasta > $4 and valido_hasta <= $5)::int as days30 from certificates where valido_hasta <= $6',
    ],
  },
  {
    why: 'Whether the AEAT answers others, when it has refused the certificate of one for half an hour.',
    statements: [
      'select exists ( select from despachos where desfase_at > $1 and failures = 0 and company_id <> $2) or not exists (select from despachos where failures > 0 and company_id <> $3) as "isAlone"',
    ],
  },
  {
    why: 'The administrator looks over all companies, and puts back what they all lost.',
    statements: [
      'select c.id, c.nif, c.name, c.email, c.subscription_type as "subscriptionType", c.subscription_ends_at as "subscriptionEndsAt", c.deleted_at as "deletedAt", coalesce(k.last_seq, 0) as registered, d.waiting_since as "waitingSince" from companies c left join cadenas k on k.company_id = c.id left join despachos d on d.company_id = c.id where c.nif ilike $1 or c.name ilike $2 or c.email ilike $3 order by c.id desc limit $4',
      'update mail_jobs m set failed_at = null, not_taken_since = null, attempts = 0, run_at = $1, lease_until = null where m.failed_at >= $2 and m.sent_at is null and m.not_taken_since is not null and not exists (select from mail_jobs later where later.company_id = m.company_id and later.invoice_id = m.invoice_id and later.id > m.id and later.sent_at is not null) returning m.id',
      'select m.id, coalesce(c.nif, \'\') as nif, m.kind, m.recipient, m.attempts, m.run_at as "runAt", m.sent_at as "sentAt", m.failed_at as "failedAt", m.last_error as "lastError" from mail_jobs m left join companies c on c.id = m.company_id where m.sent_at is null or m.failed_at is not null order by m.failed_at is null, m.failed_at desc, m.run_at limit $1',
      `select c.nif, k.last_seq - d.enviado_hasta as pendientes, d.rechazados, d.waiting_since as "waitingSince", d.next_envio_at as "nextEnvioAt", d.failures, d.last_error as "lastError", d.detenido_at as "detenidoAt", k.reconcile_required_at is not null and k.reconcile_reason <> 'falta' as "isOfUncheckedCopy" from despachos d join companies c on c.id = d.company_id join cadenas k on k.company_id = d.company_id where d.waiting_since is not null order by d.waiting_since limit $1`,
    ],
  },
  {
    why: 'After a backup was restored, with every process stopped: all companies at once.',
    statements: [
      "update cadenas k set reconcile_reason = case when k.reconcile_required_at is null or k.reconcile_reason = 'copia' then 'copia' else 'copia-falta' end, reconcile_tried_at = null, reconcile_required_at = coalesce(k.reconcile_required_at, $1), reconcile_periodos = array( select unnest(k.reconcile_periodos) union select to_char(m, 'YYYY-MM') from generate_series( date_trunc('month', least( $2::date, (select min(i.posting_date) from invoices i where i.company_id = k.company_id and i.status = 'Registrada'), (select min(i.posting_date) from invoices i where i.company_id = k.company_id and i.status in ('En espera', 'Rechazado', 'Aceptado con errores')) )::timestamp), $3::timestamp, interval '1 month') m union select left(r.issued ->> 'fechaOperacion', 7) from registros r join invoices i on i.company_id = r.company_id and i.id = r.invoice_id where r.company_id = k.company_id and r.tipo_registro = 'Alta' and r.issued ->> 'fechaOperacion' is not null and i.status <> 'Anulada' order by 1) from companies e where e.id = k.company_id and e.deleted_at is null",
    ],
  },
];
