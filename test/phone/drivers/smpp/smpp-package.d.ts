/** The types of the package `smpp` that this driver uses; the package has none. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server, Socket } from 'node:net'

  export interface Pdu {
    readonly command: string
    readonly command_status: number
    readonly sequence_number: number
    readonly [field: string]: unknown
    isResponse(): boolean
    response(fields?: Readonly<Record<string, unknown>>): Pdu
    toBuffer(): Buffer
  }

  export const PDU: new (command: string, fields?: Readonly<Record<string, unknown>>) => Pdu

  export class Session extends EventEmitter {
    constructor(options: { readonly socket: Socket })
    readonly socket: Socket
    /** False if the socket to the SMSC is closed. */
    send(pdu: Pdu): boolean
    close(): void
    destroy(): void
  }

  export function createServer(
    options: { readonly key?: string; readonly cert?: string },
    listener: (session: Session) => void,
  ): Server
}
