import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { RelayError } from '../../../errors.js'
import { DriverError } from '../../driver-port/driver.js'
import {
  describePorts,
  findPortById,
  type ListSerialPorts,
  listSerialPorts,
  loadSerialPackage,
  type SerialPortEntry,
} from './serial-ports.js'

export interface SerialLine {
  readonly stream: Duplex
  /** Closes the line; resolves when it can be opened again. */
  close(): Promise<void>
}

export type OpenSerialLine = (signal: AbortSignal) => Promise<SerialLine>

/** Milliseconds. */
const connectTimeout = 10_000
const closeTimeout = 5000

/**
 * Returns a function that opens the modem's `device`: `tcp://HOST:PORT`, such as that of ser2net, a
 * serial device such as `/dev/ttyUSB0`, or `serial:ID`. Throws `usage`; the function throws
 * `trouble`.
 */
export function createLineOpener(
  device: string,
  baud: number,
  listPorts: ListSerialPorts = listSerialPorts,
): OpenSerialLine {
  const [, serialId] = /^serial:(.+)$/.exec(device) ?? []
  if (serialId !== undefined) {
    return async () => await openSerial(findPortById(await listPorts(), serialId), baud)
  }
  if (!/^\w+:/.test(device) || /^COM\d+$/i.test(device)) {
    return createSerialOpener(device, baud, listPorts)
  }
  const url = URL.canParse(device) ? new URL(device) : undefined
  const isWhole = url?.protocol === 'tcp:' && url.hostname !== '' && url.port !== ''
  if (url === undefined || !isWhole) {
    throw new RelayError(
      'usage',
      `device must be a serial device, serial:ID or tcp://HOST:PORT; not "${device}".`,
    )
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return async signal => await openTcp(host, Number(url.port), signal)
}

/**
 * Opens a device by its path. A USB modem that was reset can return under another path, so from the
 * second time on it is found by the id that its path had.
 */
function createSerialOpener(
  device: string,
  baud: number,
  listPorts: ListSerialPorts,
): OpenSerialLine {
  let id: string | undefined
  return async signal => {
    if (signal.aborted) throw openError(device, new Error('stopped'))
    const ports = await listPorts()
    const path = choosePath(ports, device, id)
    try {
      const line = await openSerial(path, baud)
      id ??= ports.find(each => each.path === path)?.ids[0]
      return line
    } catch (error) {
      if (ports.some(each => each.path === path)) throw error
      const sentence = `${(error as Error).message} ${describePorts(ports)}`
      throw new DriverError('trouble', sentence, { cause: error })
    }
  }
}

/** The path of the device with this id; two devices with one id are told apart by their path. */
function choosePath(
  ports: readonly SerialPortEntry[],
  device: string,
  id: string | undefined,
): string {
  if (id === undefined || ports.length === 0) return device
  const isSame = (port: SerialPortEntry) => port.path === device && port.ids.includes(id)
  return ports.some(isSame) ? device : findPortById(ports, id)
}

async function openTcp(host: string, port: number, signal: AbortSignal): Promise<SerialLine> {
  const socket = connect({ host, port, noDelay: true })
  const abort = (): void => void socket.destroy(new Error('stopped'))
  const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), connectTimeout)
  signal.addEventListener('abort', abort)
  try {
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject)
    })
  } catch (cause) {
    throw openError(`tcp://${host}:${port}`, cause)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
  const close = async (): Promise<void> => {
    if (socket.closed) return
    await new Promise<void>(resolve => socket.once('close', () => resolve()).destroy())
  }
  return { stream: socket, close }
}

async function openSerial(path: string, baudRate: number): Promise<SerialLine> {
  const { SerialPort } = await loadSerialPackage()
  const port = new SerialPort({ path, baudRate, autoOpen: false })
  await new Promise<void>((resolve, reject) => {
    port.open(error => (error === null ? resolve() : reject(openError(path, error))))
  })
  // `destroy` of a SerialPort ends the stream and leaves the device open.
  const close = async (): Promise<void> => {
    await new Promise<void>(resolve => {
      // A device that does not take its output any more may never close.
      const timer = setTimeout(resolve, closeTimeout)
      const end = (): void => {
        clearTimeout(timer)
        resolve()
      }
      if (port.isOpen) port.close(end)
      else end()
    })
    port.destroy()
  }
  return { stream: port, close }
}

function openError(device: string, cause: unknown): DriverError {
  const { message } = cause as Error
  const advice = /permission|EACCES/i.test(message)
    ? ' Add this user to the group that owns it (often dialout).'
    : ''
  return new DriverError('trouble', `${device} cannot be opened (${message}).${advice}`, { cause })
}
