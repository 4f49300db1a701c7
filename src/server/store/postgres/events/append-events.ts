// The events of an account in PostgreSQL.
// - append-events: numbers and stores events in the statement that causes them
// - event-code: numbers for the names of events
//
// The counter of an account in `account_clock` gives the numbers.

/**
 * Builds the common table expressions of a statement that append events to the database.
 *
 * The row of an account in `account_clock` is locked until the commit, so that events become
 * visible in the order of their numbers, without gaps. Rows are locked in the order of accounts,
 * after all other rows of the statement.
 *
 * @param source a query of `account`, `object`, `name` (a code) and `place`, which orders them
 * @param at the SQL of the time of the events
 * @returns the expressions `recorded`, `clock` (`account`, its last number `seq`) and `appended`
 * (`account`, `object`, `seq`)
 */
export function buildEventAppend(source: string, at: string): string {
  return `
recorded as materialized (
  select account, object, name,
    row_number() over (partition by account order by place desc) as nth_last
  from (${source}) as source
),
clock as (
  insert into account_clock as present (account, seq)
  select account, max(nth_last) from recorded group by account order by account
  on conflict (account) do update set seq = present.seq + excluded.seq
  returning account, seq
),
appended as (
  insert into event (account, name, seq, object, at)
  select r.account, r.name, clock.seq - r.nth_last + 1, r.object, ${at}
  from recorded r join clock on clock.account = r.account
  returning account, object, seq
)`
}
