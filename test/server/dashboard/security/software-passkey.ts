import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface Options {
  readonly challenge: string
}

/** What a test changes in the reply of a passkey. */
export interface Deviation {
  readonly origin?: string
  readonly challenge?: string
  readonly counter?: number
}

/** The options that a page has for the browser's passkeys. */
export function readPasskeyOptions(html: string): Options {
  const [, options = '{}'] = /data-options="([^"]*)"/.exec(html) ?? []
  return JSON.parse(options.replaceAll('&#34;', '"').replaceAll('&quot;', '"'))
}

/** A passkey in software: makes the replies of a browser (Web Authentication Level 2, ES256). */
export class SoftwarePasskey {
  readonly id = randomBytes(16).toString('base64url')
  readonly #origin: string
  readonly #publicKey: KeyObject
  readonly #privateKey: KeyObject
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#publicKey = pair.publicKey
    this.#privateKey = pair.privateKey
  }

  /** The reply to `navigator.credentials.create`, as JSON. */
  create({ challenge }: Options, deviation: Deviation = {}): string {
    const id = Buffer.from(this.id, 'base64url')
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    // COSE key: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const credential = Buffer.concat([Buffer.alloc(16), toUint16(id.length), id, key])
    const data = Buffer.concat([this.#describe(0x41, deviation), credential])
    // CBOR: {fmt: "none", attStmt: {}, authData: data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      toUint16(data.length),
      data,
    ])
    const client = this.#formatClient('webauthn.create', challenge, deviation)
    return this.#formatReply({
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['usb'],
    })
  }

  /** The reply to `navigator.credentials.get`, as JSON. */
  get({ challenge }: Options, deviation: Deviation = {}): string {
    this.#counter += 1
    const data = this.#describe(0x01, deviation)
    const client = this.#formatClient('webauthn.get', challenge, deviation)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return this.#formatReply({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
    })
  }

  #describe(flags: number, { counter = this.#counter }: Deviation): Buffer {
    const host = createHash('sha256').update(new URL(this.#origin).hostname).digest()
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([host, Buffer.from([flags]), count])
  }

  #formatClient(type: string, known: string, deviation: Deviation): Buffer {
    const { origin = this.#origin, challenge = known } = deviation
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #formatReply(response: object): string {
    const { id } = this
    const type = 'public-key'
    return JSON.stringify({ id, rawId: id, type, clientExtensionResults: {}, response })
  }
}

function toUint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
