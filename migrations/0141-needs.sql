-- A program that was renewed may have to go back to the version before, on the schema of the newer one. Each
-- migration that takes something out says, in a line of its own, which migration a program must know to work
-- after it (docs/decisions/0141); a schema made of those that only add admits every program.
alter table schema_migrations add column if not exists needs text;
