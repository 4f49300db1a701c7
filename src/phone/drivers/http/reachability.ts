import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { DriverHealth } from '../../driver-port/driver.js'
import { describeConnectionError } from './service-request.js'

/** Milliseconds. */
const timeout = 10_000

/** Whether a connection to the service can be made; asks it nothing, for that might send a text. */
export async function checkReachable(url: URL): Promise<DriverHealth> {
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (secure ? 443 : 80)
  const name = /^[\d.]+$|:/.test(host) ? '' : host
  const socket = secure
    ? connectTls({ host, port, servername: name })
    : connectPlain({ host, port })
  try {
    const signal = AbortSignal.timeout(timeout)
    await once(socket, secure ? 'secureConnect' : 'connect', { signal })
    return { ok: true, detail: `${url.host} can be reached; the first text shows what it answers.` }
  } catch (error) {
    socket.on('error', () => {})
    return {
      ok: false,
      detail: `${url.host} cannot be reached: ${describeConnectionError(error)}.`,
    }
  } finally {
    socket.destroy()
  }
}
