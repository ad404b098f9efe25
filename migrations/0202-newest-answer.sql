-- Which company the AEAT answered last, whose answer tells how far the clocks are apart.
create index concurrently if not exists despachos_newest_answer on despachos (desfase_at) where desfase_at is not null;
