import { Socket } from 'node:net'
import { Client, type ClientConfig, types } from 'pg'

export interface OpenClient {
  readonly client: Client
  readonly socket: Socket
  isLost: boolean
}

/** The server does not offer the encryption that `sslmode` asks for. */
export class TlsNotOffered extends Error {}

const connectTimeout = 5000
/** Milliseconds without traffic after which the network is tested; its own default is hours. */
const keepAliveDelay = 10_000

/** Counters and times in milliseconds are int8; all of them are exact as numbers. */
const valueTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format),
}

/**
 * The server keeps the plans of prepared statements. One that was made while a table was empty must
 * not read all of it later.
 */
const avoidSequentialScans = 'set enable_seqscan = off'

export async function openClient(config: ClientConfig): Promise<OpenClient> {
  const socket = new Socket()
  const client = new Client({
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelay,
    ...config,
    types: valueTypes as NonNullable<ClientConfig['types']>,
    // Statements do not wait for the replies of those before them.
    pipeline: true,
    stream: () => socket,
  } as ClientConfig)
  let offersTls = true
  // Before TLS, the server answers with one byte: PostgreSQL 18, section 54.2.11.
  if (config.ssl) socket.once('data', reply => (offersTls = reply.toString() !== 'N'))
  try {
    // The server can end the connection in the packet that completes it; without a listener, an
    // error after `connect` has rejected would end the process.
    let failure: Error | undefined
    client.on('error', error => {
      failure = error
    })
    await client.connect()
    if (failure !== undefined) throw failure
    client.query(avoidSequentialScans).catch(() => {})
    return { client, socket, isLost: false }
  } catch (error) {
    socket.destroy()
    throw offersTls ? error : new TlsNotOffered('The server offers no TLS.', { cause: error })
  }
}
