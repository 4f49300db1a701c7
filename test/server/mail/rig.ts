import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { onTestFinished } from 'vitest'
import { type MailboxInput, RelayClient, type RelaySettings } from '../../../src/index.js'
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../src/server/store/store.js'
import { createRelay } from '../../quick-relay.js'

export const domain = 'sms.example.com'

/** The parts of a relay that a test can replace. */
export interface World {
  readonly settings?: Partial<RelaySettings>
  readonly wrap?: (store: Store) => Store
  readonly now?: () => number
}

/** Starts a relay with a mail server on a free port and an account. */
export async function startMail({ settings, wrap = store => store, now }: World = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-mail-'))
  const reported: unknown[] = []
  const relay = await createRelay(
    {
      dataDir,
      port: 0,
      smtpPort: 0,
      smtpDomain: domain,
      ...settings,
      smtpLimits: { holdUnknown: 0, ...settings?.smtpLimits },
    },
    {
      ...(now === undefined ? {} : { now }),
      openStore: async directory => wrap(await openLowdbStore(directory)),
      reportDefect: defect => reported.push(defect),
      warn: sentence => reported.push(sentence),
    },
  )
  onTestFinished(async () => {
    await relay.stop()
    await rm(dataDir, { recursive: true })
  })
  await relay.start()
  const keys = await relay.administration.createAccount({ email: 'ann@example.com' })
  const client = new RelayClient({
    url: relay.url,
    credentials: { user: keys.secret_key, password: keys.api_key },
  })
  const port = Number(/\d+$/.exec(relay.smtpUrl ?? '0'))
  /** Creates a mailbox and returns its address, with a number if it needs one. */
  const address = async (draft: MailboxInput = {}): Promise<string> =>
    (await client.mailboxes.create(draft)).address.replace('<number>', number)
  /** The accepted messages in order of creation. */
  const texts = async () =>
    (await client.messages.list({ filter: 'all', order: 'asc' })).map(each => ({
      to: each.destination,
      text: each.message,
      source: each.source,
    }))
  return { relay, client, port, reported, address, texts, ...createSender(port) }
}

/** The recipient of mail to a mailbox with a key. */
export const number = '+12025550143'

export const defaultMail = { from: 'bob@example.org', subject: 'Alarm', text: 'The disk is full.' }

type Mail = Parameters<ReturnType<typeof createTransport>['sendMail']>[0]

/** Sends mail to a port of this machine. */
export function createSender(port: number) {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  onTestFinished(() => transport.close())
  /** Sends a mail with nodemailer; resolves to the last reply, also a rejection. */
  const send = async (mail: Mail): Promise<string> => {
    try {
      return (await transport.sendMail({ ...defaultMail, ...mail })).response
    } catch (error) {
      return (error as { response?: string }).response ?? String(error)
    }
  }
  return { send }
}

/** A raw SMTP connection; each command gets a reply of one or more lines. */
export async function dial(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const reply = async (): Promise<string> => {
    for (;;) {
      const found = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(received)
      if (found !== null) {
        received = received.slice(found[0].length)
        return found[0].trimEnd()
      }
      await Promise.race([once(socket, 'data'), closed])
      if (socket.destroyed && !received.includes('\n')) return 'closed'
    }
  }
  const say = async (line: string): Promise<string> => {
    socket.write(`${line}\r\n`)
    return await reply()
  }
  /** Reads the greeting and sends EHLO. */
  const greeted = async (): Promise<string> => {
    await reply()
    return await say('EHLO test.example.org')
  }
  return { socket, say, reply, closed, greeted }
}
