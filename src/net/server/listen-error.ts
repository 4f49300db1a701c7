import { RelayError } from '../../errors.js'

export interface ListenAddress {
  readonly host: string
  /** Port that a server binds; 0 picks a free one. */
  readonly port: number
  /** Prefix of the flags for `host` and `port`, named in the error's hint. @default none */
  readonly flags?: string
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
