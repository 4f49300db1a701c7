import type { Statement } from '../connection/statement.js'

/** Deliveries that one statement deletes from the log at most. */
export const deletedPerStatement = 1000

/** The bytes of each hour are in `delivery_volume`, so that nobody adds up the whole log. */
export const insertDeliveries: Statement = {
  name: 'delivery-insert',
  text: `
    with logged as (
      insert into delivery (subscription, id, hour, ok, bytes, doc)
      select logged.subscription, id, hour, ok, bytes, doc from unnest(
        $1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::bigint[], $6::json[])
        as logged (subscription, id, hour, ok, bytes, doc)
      where exists (select from subscription where subscription.id = logged.subscription)
      on conflict do nothing returning hour, bytes)
    insert into delivery_volume as volume (hour, bytes)
    select hour, sum(bytes) from logged group by hour order by hour
    on conflict (hour) do update set bytes = volume.bytes + excluded.bytes`,
}

export const listDeliveries: Statement = {
  name: 'delivery-list',
  text: `
    select doc from delivery where subscription = $1 and ($2::text is null or id < $2)
    order by id desc limit $3`,
}

export const listFailures: Statement = {
  name: 'delivery-list-failures',
  text: `
    select doc from delivery where subscription = $1 and ($2::text is null or id < $2) and not ok
    order by id desc limit $3`,
}

export const readVolume: Statement = {
  name: 'delivery-volume',
  text: `
    select coalesce(sum(bytes), 0)::bigint as bytes, min(hour) filter (where bytes > 0) as hour
    from delivery_volume`,
}

export const readOldest: Statement = {
  name: 'delivery-oldest',
  text: 'select doc from delivery order by hour, id limit 1',
}

/** An hour without deliveries; one that is being logged keeps its bytes. */
export const deleteVolume: Statement = {
  name: 'delivery-delete-volume',
  text: 'delete from delivery_volume where hour <= $1 and bytes <= 0',
}

export const deleteOfSubscription = createDeletion('subscription', 'subscription = $1::text')
export const deleteBefore = createDeletion('before', 'hour < $1::bigint')
export const deleteOfHour = createDeletion('hour', 'hour = $1::bigint')

/** A statement that deletes the first deliveries, at most `$2`, and returns how many it deleted. */
function createDeletion(name: string, condition: string): Statement {
  const text = `
    with old as (
      select subscription, id from delivery where ${condition} order by hour, id limit $2),
    deleted as (
      delete from delivery using old
      where delivery.subscription = old.subscription and delivery.id = old.id
      returning hour, bytes),
    freed as (
      select hour, count(*) as deliveries, sum(bytes) as bytes from deleted group by hour),
    subtracted as (
      update delivery_volume as volume set bytes = volume.bytes - freed.bytes
      from freed where volume.hour = freed.hour)
    select coalesce(sum(deliveries), 0)::bigint as deleted from freed`
  return { name: `delivery-delete-${name}`, text }
}
