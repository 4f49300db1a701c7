import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { resolve } from 'node:path'
import { RelayError } from '../../errors.js'
import { listenOnUnixSocket } from './unix-socket.js'

export interface ListenAddress {
  readonly host: string
  readonly port: number
  /** Prefix of the flags for `host` and `port`, named in the error's hint. @default none */
  readonly flags?: string
}

/**
 * Where an HTTP server listens: an address, the path of a Unix socket, or the descriptor of a
 * socket on which the parent process listens already.
 */
export type ListenTarget = ListenAddress | { readonly path: string } | { readonly fd: number }

/** Starts to listen. Throws `configuration` if the server cannot listen there. */
export async function startListening(server: Server, target: ListenTarget): Promise<void> {
  if ('path' in target) return await listenOnUnixSocket(server, target.path)
  try {
    if ('fd' in target) server.listen({ fd: target.fd })
    else server.listen(target.port, target.host)
    await once(server, 'listening')
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException
    throw 'fd' in target ? passedSocketError(error, target.fd) : listenError(error, target)
  }
}

/**
 * The URL of a server that listens: `http://host:port`, `unix:/path`, or `fd:3` for a Unix socket
 * of the parent process.
 */
export function formatListenUrl(
  scheme: string,
  target: ListenTarget,
  address: AddressInfo | undefined,
): string {
  if ('path' in target) return `unix:${resolve(target.path)}`
  const host = 'fd' in target ? address?.address : target.host
  if (address === undefined || host === undefined) return `fd:${'fd' in target ? target.fd : ''}`
  return formatAddress(scheme, host, address.port)
}

export function formatAddress(scheme: string, host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/**
 * Creates the error `configuration` for an address that an HTTP or mail server cannot bind, with a
 * hint.
 */
export function listenError(
  error: NodeJS.ErrnoException,
  { host, port, flags = '' }: ListenAddress,
): RelayError {
  const where = `${host}:${port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return new RelayError('configuration', `Another program is listening on ${where}.`, {
        hint: `Choose another port with --${flags}port; 0 picks a free one.`,
      })
    case 'EACCES':
      return new RelayError('configuration', `You may not listen on ${where}.`, {
        hint: `Choose a port above 1023 with --${flags}port.`,
      })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new RelayError('configuration', `${host} is not an address of this machine.`, {
        hint: `Choose another with --${flags}host, for example 127.0.0.1, or 0.0.0.0 for all.`,
      })
    default:
      return new RelayError('configuration', `Cannot listen on ${where}: ${error.message}.`)
  }
}

function passedSocketError(error: NodeJS.ErrnoException, fd: number): RelayError {
  const reason = error.code ?? error.message
  return new RelayError(
    'configuration',
    `The passed socket with descriptor ${fd} cannot be used (${reason}).`,
    { hint: 'The parent process must pass a stream socket that listens (LISTEN_FDS).' },
  )
}
