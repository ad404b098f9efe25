-- The AEAT refused a whole message for something that the same bytes will not mend (the certificate,
-- the company's data, a suspended access): nothing is sent until somebody mends it or says «Reintentar».

alter table despachos
  add column detenido_at timestamptz,
  -- Of the Fault; null while sending is not stopped, or when the AEAT gave no code.
  add column detenido_codigo integer,
  -- When the owner was last told by mail.
  add column detenido_avisado_at timestamptz;
