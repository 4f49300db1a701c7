import { readFile } from 'node:fs/promises'

/** Files and connections that the relay opens besides those of its HTTP clients. */
const otherFiles = 1000

/**
 * Returns a warning if the system lets this process open fewer files than it may have connections.
 * @param readLimits reads the limits of this process; they are unknown where this rejects
 */
export async function checkOpenFiles(
  maxConnections: number,
  readLimits: () => Promise<string> = async () => await readFile('/proc/self/limits', 'utf8'),
): Promise<string | undefined> {
  const limits = await readLimits().catch(() => '')
  const [, digits] = /^Max open files +(\d+)/m.exec(limits) ?? []
  const needed = maxConnections + otherFiles
  if (digits === undefined || Number(digits) >= needed) return undefined
  return (
    `This process may open only ${digits} files, but --max-connections is ${maxConnections}. ` +
    `Raise the limit to ${needed} (\`ulimit -n ${needed}\`, or LimitNOFILE= in a systemd unit), ` +
    'or lower --max-connections.'
  )
}
