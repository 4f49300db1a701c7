import { createChange } from '../audit/audited-statement.js'
import type { Statement } from '../connection/statement.js'

const groupsOfDoc = "coalesce(entry.doc::json->'groups', '[]')::jsonb"

export const findContacts: Statement = {
  name: 'contact-find',
  text: 'select number, version, doc from contact where account = $1 and number = any($2::text[])',
}

const matching = 'where account = $1 and sort_key > $2'
const page = 'order by sort_key limit $3'

/** Reads a page. Parameters: account, key before the page, count. */
export const readContacts: Statement = {
  name: 'contact-page',
  text: `select doc from contact ${matching} ${page}`,
}

/**
 * As {@link readContacts}; 4 is a part of the key. The keys, each of one contact, are found in the
 * index alone.
 */
export const searchContacts: Statement = {
  name: 'contact-search',
  text: `
    select contact.doc
    from (select sort_key from contact ${matching} and strpos(sort_key, $4) > 0 ${page}) as listed
    join contact on contact.account = $1 and contact.sort_key = listed.sort_key
    order by listed.sort_key`,
}

/** As {@link searchContacts}; 5 is the group. A separate statement, so that it uses its index. */
export const searchMembers: Statement = {
  name: 'contact-members',
  text: `
    select doc from contact ${matching} and strpos(sort_key, $4) > 0
      and groups @> to_jsonb(array[$5::text])
    ${page}`,
}

export const countContacts: Statement = {
  name: 'contact-count',
  text: 'select count(*)::int as count from contact where account = $1',
}

export const countMembers: Statement = {
  name: 'contact-count-members',
  text: `
    select member as id, count(*)::int as count
    from contact, jsonb_array_elements_text(groups) as member where account = $1 group by member`,
}

/**
 * Writes decisions on contacts whose versions are still those that were read. Parameters: account,
 * operation; arrays of the number, the version before (null: none), the key and the document (null:
 * removed) of each. Returns the numbers that were written by this operation; a repeated run finds
 * those of the first one.
 */
export const writeContacts = createChange(
  'contact-write',
  append => `
    with entry as (
      select * from unnest($3::text[], $4::bigint[], $5::text[], $6::text[])
        as entry (number, was, sort_key, doc)),
    inserted as (
      insert into contact (account, number, version, op, sort_key, groups, doc)
      select $1, number, 1, $2, sort_key, ${groupsOfDoc}, doc::json from entry
      where was is null order by number
      on conflict (account, number) do nothing returning number),
    updated as (
      update contact set version = contact.version + 1, op = $2, sort_key = entry.sort_key,
        groups = ${groupsOfDoc}, doc = entry.doc::json
      from entry
      where contact.account = $1 and contact.number = entry.number
        and contact.version = entry.was and entry.doc is not null
      returning contact.number),
    deleted as (
      delete from contact using entry
      where contact.account = $1 and contact.number = entry.number
        and contact.version = entry.was and entry.doc is null
      returning contact.number)
      ${append(`exists (select from inserted) or exists (select from updated)
        or exists (select from deleted)`)}
    select number from inserted
    union all select number from updated
    union all select number from deleted
    union all select number from contact
      where account = $1 and op = $2 and number in (select number from entry)
    union all select number from entry
      where doc is null and not exists (
        select from contact where account = $1 and contact.number = entry.number)`,
)
