import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Systems give out higher ports by themselves (Linux from 32768, others from 49152), to
 * every server on port 0 and every outgoing connection.
 */
const firstPort = 15_000
const portCount = 16_000
/**
 * Where the count begins. A process can have several copies of this module (each project of the
 * tests has one), so its number would give them the same ports.
 */
let next = randomInt(portCount)

/**
 * Finds free ports, each of them once. Until another program opens them, they stay free: neither
 * the system nor another process with this function chooses them.
 */
export async function findPorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = firstPort + next
    next = (next + 1) % portCount
    if (await isFree(port)) ports.push(port)
  }
  return ports
}

/** Finds a free port. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findPorts(1)
  return port
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
