import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { isRelayError } from '../../../src/errors.js'
import type { Administration } from '../../../src/server/admin/administration.js'
import {
  openAdministration,
  type Relay,
  type RelayOverrides,
} from '../../../src/server/open-relay.js'
import { connectToHolder } from '../../../src/util/files/directory-lock.js'
import { createRelay, quickPasswords } from '../../quick-relay.js'

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
  const overrides = { passwordCost: quickPasswords }
  const administration = await openAdministration(dataDir, { create, overrides })
  onTestFinished(async () => await administration.close())
  return administration
}

type Open = () => Promise<Administration>

/** The two ways to administer a relay, with the function that opens each on an empty directory. */
export const ways: [string, Open][] = [
  ['by the process that holds the directory', async () => await administer(await newDirectory())],
  [
    'through the service that runs on it',
    async () => {
      const directory = await newDirectory()
      await openRelay(directory)
      return await administer(directory)
    },
  ],
]

/** The parts of a RelayError that its user sees; other results unchanged. */
export async function describeError(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (!isRelayError(error)) return error
  const { name, code, message, hint } = error
  return { name, code, message, hint }
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
