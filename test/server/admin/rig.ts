import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { Administration } from '../../../src/server/admin/administration.js'
import {
  openAdministration,
  type Relay,
  type RelayOverrides,
} from '../../../src/server/open-relay.js'
import { connectToHolder } from '../../../src/util/files/directory-lock.js'
import { createRelay } from '../../quick-relay.js'

/** Creates a directory that is deleted after the test. */
export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'smsrelay-admin-'))
  onTestFinished(async () => await rm(directory, { recursive: true, force: true }))
  return directory
}

/** Opens a relay that stops at the end of the test. */
export async function openRelay(
  dataDir: string,
  overrides: RelayOverrides = {},
  settings: object = {},
): Promise<Relay> {
  const relay = await createRelay({ dataDir, port: 0, ...settings }, overrides)
  onTestFinished(async () => await relay.stop())
  return relay
}

/** Opens an administration that closes at the end of the test. */
export async function administer(dataDir: string, create = false): Promise<Administration> {
  const administration = await openAdministration(dataDir, { create })
  onTestFinished(async () => await administration.close())
  return administration
}

/** A connection to the socket of a directory, with the lines of its replies. */
export async function connectRaw(dataDir: string) {
  const socket = (await connectToHolder(dataDir)) as Socket
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  const lines = createInterface({ input: socket })
  lines.on('error', () => {})
  const replies = lines[Symbol.asyncIterator]()
  const reply = async () => JSON.parse((await replies.next()).value)
  return { socket, reply, closed }
}
