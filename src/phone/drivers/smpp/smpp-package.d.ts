/** What is used of the package `smpp`, which brings no types of its own. */
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
    /** False when the socket takes nothing any more. */
    send(pdu: Pdu): boolean
    close(): void
    destroy(): void
  }

  export function createServer(
    options: { readonly key?: string; readonly cert?: string },
    listener: (session: Session) => void,
  ): Server
}
