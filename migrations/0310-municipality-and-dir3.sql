-- The town of an address, and to whom in an administration an invoice goes (DIR3): Facturae says both apart.
alter table companies add column municipio text not null default '';
alter table customers
  add column municipio text not null default '',
  add column oficina_contable text not null default '',
  add column organo_gestor text not null default '',
  add column unidad_tramitadora text not null default '',
  add column organo_proponente text not null default '';
