import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, PDU, type Pdu, type Session } from 'smpp'
import { onTestFinished } from 'vitest'
import type { DriverContext } from '../../../../src/phone/driver-port/driver-options.js'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import type {
  ContentSettings,
  SubmitContent,
} from '../../../../src/phone/drivers/smpp/text/submit-sm.js'

/** What an SMSC does with a submit_sm. */
export type Act = (submit: Pdu, session: Session, smsc: Smsc) => void

export const reject =
  (status: number): Act =>
  (submit, session) =>
    session.send(submit.response({ command_status: status }))

export const keepSilent: Act = () => {}

/** Closes the connection without accepting the text. */
export const hangUp: Act = (_, session) => session.destroy()

/** Accepts the text and closes the connection without a response. */
export const acceptAndHangUp: Act = (submit, session, smsc) => {
  smsc.accept(submit)
  session.destroy()
}

/** Accepts the text, responds, and closes the connection. */
export const answerAndHangUp: Act = (submit, session, smsc) => {
  session.send(submit.response({ message_id: smsc.accept(submit) }))
  session.close()
}

/** An SMSC on a free port, with a scripted act for each submit_sm. */
export class Smsc {
  readonly binds: Pdu[] = []
  readonly accepted: Pdu[] = []
  readonly commands: string[] = []
  readonly sessions = new Set<Session>()
  readonly script: Act[] = []
  otherwise: Act = (submit, session) =>
    void session.send(submit.response({ message_id: this.accept(submit) }))
  /** The status of the next binds. */
  bindStatus = 0
  answersEnquiries = true
  port = 0

  static async start(tls: { key?: string; cert?: string } = {}, port = 0): Promise<Smsc> {
    const smsc = new Smsc()
    const server = createServer(tls, session => smsc.#serve(session))
    server.on('tlsClientError', () => {})
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    smsc.port = (server.address() as AddressInfo).port
    onTestFinished(async () => {
      server.close()
      for (const session of smsc.sessions) session.destroy()
    })
    return smsc
  }

  /** Accepts a submit_sm; returns its message_id. */
  accept(submit: Pdu): string {
    this.accepted.push(submit)
    return `id${this.accepted.length}`
  }

  async deliver(
    fields: Readonly<Record<string, unknown>>,
    command = 'deliver_sm',
    [session]: Iterable<Session> = this.sessions,
  ): Promise<Pdu> {
    if (session === undefined) throw new Error('no session is bound')
    const answer = once(session, `${command}_resp`)
    session.send(new PDU(command, fields))
    const [pdu] = (await answer) as [Pdu]
    return pdu
  }

  #serve(session: Session): void {
    this.sessions.add(session)
    session.on('error', () => {})
    session.on('close', () => this.sessions.delete(session))
    session.on('pdu', (pdu: Pdu) => {
      if (pdu.isResponse()) return
      this.commands.push(pdu.command)
      if (pdu.command === 'submit_sm') this.#submitted(pdu, session)
      else if (pdu.command.startsWith('bind_')) this.#bind(pdu, session)
      else if (pdu.command !== 'enquire_link' || this.answersEnquiries) session.send(pdu.response())
      if (pdu.command === 'unbind') session.close()
    })
  }

  #bind(pdu: Pdu, session: Session): void {
    this.binds.push(pdu)
    session.send(pdu.response({ command_status: this.bindStatus, system_id: 'smsc' }))
  }

  #submitted(pdu: Pdu, session: Session): void {
    const act = this.script.shift() ?? this.otherwise
    act(pdu, session, this)
  }
}

export function createSmppDriver(
  smsc: { readonly port: number },
  options: Record<string, string> = {},
  context: Partial<DriverContext> = {},
) {
  const driver = createDriver(
    'smpp',
    {
      ...{ host: '127.0.0.1', port: String(smsc.port), 'system-id': 'relay', timeout: '20' },
      ...options,
    },
    { env: { SMSRELAY_SMPP_PASSWORD: 'sesame' }, random: () => 0.5, ...context },
  )
  onTestFinished(async () => await driver[Symbol.asyncDispose]())
  return driver
}

export const contentSettings = {
  ...({ long: 'udh', alphabet: 'gsm' } as const),
  ...{ dataCoding: 0, tlvs: [], national: [] },
} satisfies ContentSettings

/** The fields of the package smpp for the content of a submit_sm. */
export function toPackageFields({ esmClass, dataCoding, shortMessage, tlvs }: SubmitContent) {
  const names: Readonly<Record<number, string>> = {
    ...{ 524: 'sar_msg_ref_num', 526: 'sar_total_segments', 527: 'sar_segment_seqnum' },
    1060: 'message_payload',
  }
  const parameters = tlvs.map(({ tag, value }) => {
    const octets = Buffer.from(value)
    return [names[tag], tag === 1060 ? octets : octets.readUIntBE(0, octets.length)]
  })
  return {
    ...{ esm_class: esmClass, data_coding: dataCoding },
    ...{ short_message: Buffer.from(shortMessage), ...Object.fromEntries(parameters) },
  }
}
