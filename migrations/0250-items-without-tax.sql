-- Prices of items that include VAT were kept as if they did not: all items are read once more, and only what is not as
-- it was is written.
delete from bc_cursors where entity = 'items';
