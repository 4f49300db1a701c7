import { DriverError } from '../../driver-port/driver.js'

/** A serial port of this machine, with the ids that stay the same under another device name. */
export interface SerialPortEntry {
  readonly path: string
  /** Name under `/dev/serial/by-id`, which also names the interface; then the serial number. */
  readonly ids: readonly string[]
}

export type ListSerialPorts = () => Promise<readonly SerialPortEntry[]>

export async function listSerialPorts(): Promise<readonly SerialPortEntry[]> {
  try {
    const { SerialPort } = await loadSerialPackage()
    const ports = await SerialPort.list()
    return ports.map(({ path, pnpId, serialNumber }) => {
      return { path, ids: [pnpId, serialNumber].filter(id => id !== undefined) }
    })
  } catch {
    return []
  }
}

/** The package serialport has native code that some machines cannot build, so it is optional. */
export async function loadSerialPackage(): Promise<typeof import('serialport')> {
  try {
    return await import('serialport')
  } catch (cause) {
    const sentence =
      'Serial devices need the package serialport, which is not installed; ' +
      '`npm install serialport` shows the reason.'
    throw new DriverError('trouble', sentence, { cause })
  }
}

export function findPortById(ports: readonly SerialPortEntry[], id: string): string {
  const [first, ...others] = ports.filter(({ ids }) => ids.includes(id))
  if (first !== undefined && others.length === 0) return first.path
  const problem =
    first === undefined
      ? `No serial port has the id ${id}.`
      : `Several serial ports have the id ${id}; use the longer id of one of them.`
  throw new DriverError('trouble', `${problem} ${describePorts(ports)}`)
}

export function describePorts(ports: readonly SerialPortEntry[]): string {
  const list = ports.map(({ path, ids: [id] }) => (id === undefined ? path : `serial:${id}`))
  return list.length === 0 ? 'This machine has no serial ports.' : `Ports: ${list.join(', ')}.`
}
