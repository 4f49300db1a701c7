import { RelayError } from '../../errors.js'

/** The settings of a relay for sockets that its parent process passed. */
export interface PassedSockets {
  readonly listenFd?: number
  readonly metricsFd?: number
}

/** Descriptor of the first passed socket (sd_listen_fds(3)). */
const firstDescriptor = 3

/**
 * Reads which listening sockets systemd, or another parent, passed to the process `pid`: LISTEN_FDS
 * of them, of which that with the name `metrics` in LISTEN_FDNAMES is for metrics. Throws
 * `configuration` if there are two for one purpose.
 */
export function readPassedSockets(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): PassedSockets {
  const { LISTEN_PID, LISTEN_FDS = '0', LISTEN_FDNAMES = '' } = env
  // The variables can be those of a parent that did not remove them.
  if (Number(LISTEN_PID) !== pid) return {}
  const names = LISTEN_FDNAMES.split(':')
  const sockets = Array.from({ length: Number(LISTEN_FDS) || 0 }, (_, index) => ({
    fd: firstDescriptor + index,
    isForMetrics: names[index] === 'metrics',
  }))
  const listenFd = findOnly(sockets.filter(each => !each.isForMetrics))
  const metricsFd = findOnly(sockets.filter(each => each.isForMetrics))
  return {
    ...(listenFd === undefined ? {} : { listenFd }),
    ...(metricsFd === undefined ? {} : { metricsFd }),
  }
}

function findOnly(sockets: readonly { readonly fd: number }[]): number | undefined {
  if (sockets.length <= 1) return sockets[0]?.fd
  throw new RelayError('configuration', `${sockets.length} sockets were passed for one purpose.`, {
    hint: 'Pass one, and one with the name `metrics` (FileDescriptorName=metrics).',
  })
}
