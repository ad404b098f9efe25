-- The tax that new lines begin with: a bar or a taxi sells nearly everything at another than the general rate.
alter table companies add column default_tax text not null default '';
