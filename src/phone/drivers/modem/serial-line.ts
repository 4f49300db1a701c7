import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { RelayError } from '../../../errors.js'
import { DriverError } from '../../driver-port/driver.js'

export type OpenSerialLine = (signal: AbortSignal) => Promise<Duplex>

/** Milliseconds. */
const connectTimeout = 10_000

/**
 * Returns a function that opens the modem's `device`: `tcp://HOST:PORT`, such as that of ser2net,
 * or a serial device such as `/dev/ttyUSB0`. Throws `usage`; the function throws `trouble`.
 */
export function createLineOpener(device: string, baud: number): OpenSerialLine {
  if (!/^\w+:\/\//.test(device)) return async signal => await openSerial(device, baud, signal)
  const url = URL.canParse(device) ? new URL(device) : undefined
  const isWhole = url?.protocol === 'tcp:' && url.hostname !== '' && url.port !== ''
  if (url === undefined || !isWhole) {
    throw new RelayError(
      'usage',
      `device must be a serial device or tcp://HOST:PORT; not "${device}".`,
    )
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return async signal => await openTcp(host, Number(url.port), signal)
}

async function openTcp(host: string, port: number, signal: AbortSignal): Promise<Duplex> {
  const socket = connect({ host, port, noDelay: true })
  const abort = (): void => void socket.destroy(new Error('stopped'))
  const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), connectTimeout)
  signal.addEventListener('abort', abort)
  try {
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject)
    })
    return socket
  } catch (cause) {
    throw openError(`tcp://${host}:${port}`, cause)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

async function openSerial(path: string, baudRate: number, signal: AbortSignal): Promise<Duplex> {
  if (signal.aborted) throw openError(path, new Error('stopped'))
  const { SerialPort } = await loadSerialPackage()
  const port = new SerialPort({ path, baudRate, autoOpen: false })
  await new Promise<void>((resolve, reject) => {
    port.open(error => (error === null ? resolve() : reject(openError(path, error))))
  })
  return port
}

/** The package serialport has native code that some machines cannot build, so it is optional. */
async function loadSerialPackage(): Promise<typeof import('serialport')> {
  try {
    return await import('serialport')
  } catch (cause) {
    const sentence =
      'Serial devices need the package serialport, which is not installed; ' +
      '`npm install serialport` shows the reason.'
    throw new DriverError('trouble', sentence, { cause })
  }
}

function openError(device: string, cause: unknown): DriverError {
  const { message } = cause as Error
  const advice = /permission|EACCES/i.test(message)
    ? ' Add this user to the group that owns it (often dialout).'
    : ''
  return new DriverError('trouble', `${device} cannot be opened (${message}).${advice}`, { cause })
}
