import { expect, test } from 'vitest'
import { decideReceivedText } from '../../../../../src/domain/phone/received-text.js'
import { pauseSubscription } from '../../../../../src/domain/webhook/subscription.js'
import { accountWith, draftWith, start } from '../../rig.js'
import { connectToDatabase, openMigratedDatabase, runSql } from '../test-postgres.js'
import { loseReply, openRecords } from './records-rig.js'

type Stores = ReturnType<typeof openRecords>['stores']

/** Changes records of every kind of an account; resolves to all results. */
async function changeAll(stores: Stores, account: string): Promise<unknown[]> {
  const { accounts, tokens, mailboxes, subscriptions, doNotText, receivedTexts, contacts } = stores
  const mailbox = { id: `${account}m`, account, name: '', destinations: [], senders: [] }
  const number = '+12025550143'
  const received = {
    ...{ id: `${account}r`, account, from: number, number, text: 'STOP', word: 'stop' as const },
    ...{ receivedAt: start, createdAt: start, once: { key: 'k', digest: 'd' } },
  }
  return [
    await accounts.create(accountWith(account, { alerts: 'a@example.com' })),
    await accounts.change(account, found => ({ ...found, country: `${found.country}+` })),
    await tokens.put({ id: `${account}t`, account, kind: 'api', expiresAt: start }),
    await mailboxes.change(mailbox.id, () => ({
      ...mailbox,
      ...{ alias: account, subject: 'never', length: 1, createdAt: start },
    })),
    await mailboxes.change(mailbox.id, found =>
      found ? { ...found, length: found.length + 1 } : null,
    ),
    await subscriptions.create(draftWith(`${account}s`, { account })),
    await subscriptions.create(draftWith(`${account}p`, { account, event: 'subscription.paused' })),
    await subscriptions.change(`${account}s`, found =>
      pauseSubscription({ ...found, triggered: found.triggered + 1 }, start, 'request'),
    ),
    await doNotText.add([{ scope: account, number: '+1', at: start }], start),
    await doNotText.remove(account, '+1', start),
    await contacts.changeAll(account, ['+1', '+2'], number => ({
      ...{ account, number, name: 'Ann', groups: ['g'], createdAt: start },
    })),
    await contacts.changeAll(account, ['+1', '+2'], (number, found) =>
      found === undefined
        ? undefined
        : number === '+1'
          ? null
          : { ...found, name: `${found.name}!` },
    ),
    await contacts.getPage(account, { count: 9 }),
    await receivedTexts.add(received, facts =>
      decideReceivedText(received, { ...facts, replyId: `${account}x` }, { stopText: 'Bye' }),
    ),
    await subscriptions.remove(`${account}s`),
    await mailboxes.change(mailbox.id, () => null),
    await tokens.remove({ id: `${account}t` }),
  ]
}

test('whichever reply is lost, everything happens once', async () => {
  const url = await openMigratedDatabase()
  const database = connectToDatabase(url)
  const run = async (account: string, place: number) => {
    const lossy = loseReply(database, place)
    const { stores, close } = openRecords(url, { database: lossy })
    const results = await changeAll(stores, account)
    await close()
    const rows = await readRows(url, account)
    const content = JSON.stringify({ results, rows }).replaceAll(account, 'account')
    return { content: JSON.parse(content), statements: lossy.counter.statements }
  }
  const { content, statements } = await run('acc-0', 0)
  expect(content.rows.events).toHaveLength(5)
  expect(statements).toBeGreaterThan(20)
  for (let place = 1; place <= statements; place += 1) {
    expect((await run(`acc-${place}-`, place)).content, `statement ${place}`).toEqual(content)
  }
})

/** What the database has of an account, without operations, which differ from run to run. */
async function readRows(url: string, account: string) {
  const list = (columns: string, table: string, condition: string) =>
    `(select json_agg(array[${columns}]::text[] order by ${columns}) from ${table}
      where ${condition} = '${account}')`
  const [row] = await runSql<Record<string, readonly unknown[] | null>>(
    url,
    `select ${list('seq, name, object', 'event', 'account')} as events,
      ${list('id, status, doc::text', 'message', 'account')} as messages,
      ${list('quarter, name, count', 'message_count', 'account')} as counts,
      ${list('span, quarter, name, count', 'message_group_count', 'account')} as groups,
      ${list('id, version, doc::text', 'subscription', 'account')} as subscriptions,
      ${list('version, doc::text', 'account', 'id')} as accounts,
      ${list('id, doc::text', 'received_text', 'account')} as received,
      ${list('number, doc::text', 'do_not_text', 'scope')} as listed,
      ${list('id, doc::text', 'mailbox', 'account')} as mailboxes`,
  )
  return row
}
