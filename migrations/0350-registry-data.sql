-- Where the company is inscribed, as its papers have to say it (Código de Comercio art. 24).
alter table companies add column registry_data text not null default '';
