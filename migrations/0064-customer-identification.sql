-- How a customer is identified when it is not by its NIF or NIF-IVA (list L7 of the AEAT); empty, as its
-- country and number say. Chosen once on its card instead of in each of its invoices.

alter table customers
  add column tipo_identificacion text not null default ''
    check (tipo_identificacion in ('', '02', '03', '04', '05', '06', '07'));
