/** The tables of the people of accounts, and the e-mail addresses with which they sign in. */
export const peopleTables = `
create table person (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  -- In lower case.
  email text collate "C" not null unique,
  doc json not null
);
create index person_account on person (account);

create table invitation (
  id text collate "C" primary key,
  account text collate "C" not null,
  version bigint not null,
  op uuid,
  created_at bigint not null,
  doc json not null
);
create index invitation_account on invitation (account);

alter table token add column person text collate "C";
-- The sign-in that a User Login token is from.
alter table token add column login json;

-- Every e-mail address that signs in, in lower case, and the account or person that has it: of two
-- that take one at once, on any nodes and by any program, one does.
create table sign_in_email (
  email text collate "C" primary key,
  holder text collate "C" not null unique
);
insert into sign_in_email (email, holder) select email, id from account;

create function keep_sign_in_email() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into sign_in_email (email, holder) values (new.email, new.id);
  elsif tg_op = 'UPDATE' then
    update sign_in_email set email = new.email where holder = new.id;
  else
    delete from sign_in_email where holder = old.id;
  end if;
  return null;
end $$;
create trigger account_email after insert or delete or update of email on account
  for each row execute function keep_sign_in_email();
create trigger person_email after insert or delete or update of email on person
  for each row execute function keep_sign_in_email();
`
