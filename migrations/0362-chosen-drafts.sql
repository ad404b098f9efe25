-- The drafts that a run of registering is bound to, when a person picked some. Such a run has `last_invoice_id` 0: a
-- program that does not know this column finds none to register in it, instead of all of them.
alter table register_runs add column chosen bigint[];
