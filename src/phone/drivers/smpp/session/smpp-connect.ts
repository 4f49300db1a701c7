import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { errorText, getErrorCode } from '../../../../errors.js'
import {
  explainConnectionError,
  isCertificateError,
} from '../../../../net/client/connection-error.js'
import { DriverError } from '../../../driver-port/driver.js'
import type { SmppHost, SmppSettings } from '../settings/smpp-settings.js'

type Target = SmppHost & Pick<SmppSettings, 'tls' | 'insecure' | 'pins' | 'timeout'>

export async function connectToSmsc(target: Target, signal: AbortSignal): Promise<Socket> {
  const { host, port, tls, insecure, pins, timeout } = target
  const rejectUnauthorized = !insecure && pins.length === 0
  const socket = tls
    ? connectTls({ host, port, servername: getServerName(host), rejectUnauthorized })
    : connectPlain({ host, port })
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 30_000)
  const stop = () => socket.destroy(new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    await waitUntilOpen(socket, tls ? 'secureConnect' : 'connect', timeout)
    checkPin(socket, pins)
    return socket
  } catch (error) {
    socket.destroy()
    throw new DriverError('trouble', describeConnectError(target, error), { cause: error })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The SMSC's name for TLS; an IP address is not a valid name for SNI (RFC 6066 section 3). */
function getServerName(host: string): string {
  return /^[\d.]+$|:/.test(host) ? '' : host
}

function checkPin(socket: Socket, pins: readonly string[]): void {
  if (!(socket instanceof TLSSocket) || pins.length === 0) return
  const { fingerprint256 = 'none' } = socket.getPeerCertificate()
  const found = fingerprint256.replaceAll(':', '').toLowerCase()
  if (!pins.includes(found)) throw new Error(`its certificate has the fingerprint ${found}`)
}

async function waitUntilOpen(socket: Socket, event: string, timeout: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), timeout)
    const done = (settle: () => void) => {
      clearTimeout(timer)
      socket.off('error', failed)
      settle()
    }
    const failed = (error: Error) => done(() => reject(error))
    socket.once('error', failed)
    socket.once('close', () => failed(new Error('closed at once')))
    socket.once(event, () => done(resolve))
  })
}

function describeConnectError({ host, port, tls }: Target, error: unknown): string {
  const code = getErrorCode(error)
  const problem = `The SMSC at ${host}:${port} cannot be reached`
  if (tls && /SSL|EPROTO/.test(code)) return `${problem}: it does not use TLS on this port.`
  const explained = `${problem}: ${explainConnectionError(code) ?? errorText(error)}`
  if (code === 'ECONNRESET') return `${explained} at once; try tls=yes.`
  if (!isCertificateError(code)) return `${explained}.`
  return `${explained}. NODE_EXTRA_CA_CERTS can name a file with another authority.`
}
