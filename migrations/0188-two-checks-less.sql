-- Every foreign key of a row looks up what it points to, locks it and writes that down (docs/decisions/0188).
--
-- An answer locked the registro that it answers, a thousand in each message, in pages that nothing else touches
-- again. Registros are never taken away (`registros_are_final`), and what is answered was read from them.
--
-- needs: 0001
alter table respuestas drop constraint if exists respuestas_company_id_seq_fkey;
-- The company of a registro is that of its invoice, which has a key of its own to it.
alter table registros drop constraint if exists registros_company_id_fkey;
