import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import HookListen from '../../../commands/hook/listen.js'
import type { Answer, Webhook } from '../../conformance/receiver.js'
import { temporaryFolder } from '../../temporary-folder.js'
import {
  type CommandInput,
  type CommandResult,
  createClient,
  parseLines,
  start,
  startRelay,
} from '../harness.js'

type Line = Record<string, unknown> & { type: string }

export function parseEvents({ stdout }: CommandResult): Line[] {
  return parseLines<Line>(stdout)
}

/** A relay, its client, and `hook listen` with a state directory of its own. */
export async function openListening(more: CommandInput = {}) {
  const fixture = await startRelay()
  const client = createClient(fixture)
  const state = await temporaryFolder()
  const given = { ...fixture, ...more, env: { ...fixture.env, SMSRELAY_STATE_DIR: state } }
  const send = async () =>
    (await client.messages.create({ destination: '5551212', message: 'hi' })).id
  const listen = (...argv: string[]) =>
    start(HookListen, [...argv, ...fixture.flags, '--json'], given)
  return { fixture, client, send, listen, given }
}

/** Responds with these statuses in turn, then always with the last. */
export function respondWith(...statuses: number[]): (webhook: Webhook, nth: number) => Answer {
  return (_, nth) => ({ status: statuses[Math.min(nth, statuses.length) - 1] ?? 200 })
}

/** A server that accepts connections and never responds. */
export async function openSilentServer() {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, connected: once(server, 'connection') }
}
