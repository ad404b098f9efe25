-- Which terms were accepted, beside when; null in accounts of before it was kept.
alter table companies add column terms_version text;
