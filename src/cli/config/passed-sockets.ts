import { RelayError } from '../../errors.js'

type Env = Readonly<Record<string, string | undefined>>

export interface PassedSockets {
  readonly listenFd?: number
  readonly metricsFd?: number
}

/** Descriptor of the first passed socket (sd_listen_fds(3)). */
const firstDescriptor = 3

/** Name of the descriptor that `OpenFile=` in a unit connects to systemd. */
const notifyName = 'notify'

interface PassedDescriptor {
  readonly fd: number
  readonly name: string | undefined
}

/**
 * Reads which listening sockets systemd, or another parent, passed to the process `pid`: LISTEN_FDS
 * of them, of which that with the name `metrics` in LISTEN_FDNAMES is for metrics. Throws
 * `configuration` if there are two for one purpose.
 */
export function readPassedSockets(env: Env, pid: number): PassedSockets {
  const sockets = listDescriptors(env, pid).filter(({ name }) => name !== notifyName)
  const listenFd = findOnly(sockets.filter(({ name }) => name !== 'metrics'))
  const metricsFd = findOnly(sockets.filter(({ name }) => name === 'metrics'))
  return {
    ...(listenFd === undefined ? {} : { listenFd }),
    ...(metricsFd === undefined ? {} : { metricsFd }),
  }
}

/** The descriptor to write notifications for systemd to (sd_notify(3)), if there is one. */
export function findNotifyDescriptor(env: Env, pid: number): number | undefined {
  return listDescriptors(env, pid).find(({ name }) => name === notifyName)?.fd
}

function listDescriptors(env: Env, pid: number): PassedDescriptor[] {
  const { LISTEN_PID, LISTEN_FDS = '0', LISTEN_FDNAMES = '' } = env
  // The variables can be those of a parent that did not remove them.
  if (Number(LISTEN_PID) !== pid) return []
  const names = LISTEN_FDNAMES.split(':')
  return Array.from({ length: Number(LISTEN_FDS) || 0 }, (_, index) => ({
    fd: firstDescriptor + index,
    name: names[index],
  }))
}

function findOnly(sockets: readonly { readonly fd: number }[]): number | undefined {
  if (sockets.length <= 1) return sockets[0]?.fd
  throw new RelayError('configuration', `${sockets.length} sockets were passed for one purpose.`, {
    hint: 'Pass one, and one with the name `metrics` (FileDescriptorName=metrics).',
  })
}
