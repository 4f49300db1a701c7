// The PDUs of SMPP 3.3, 3.4 and 5.0, as this driver needs them.
//
// 1. pdu-reader.ts divides what a connection receives into PDUs. Their bodies are views of it.
// 2. message-body.ts decodes and encodes the bodies of submit_sm, deliver_sm and data_sm.
// 3. pdu-writer.ts encodes PDUs one after another into a buffer for the connection.

/** Values of `command_id` (SMPP 3.4 section 5.1.2.1); {@link responseBit} makes the response. */
export const commands = {
  bind_receiver: 0x01,
  bind_transmitter: 0x02,
  submit_sm: 0x04,
  deliver_sm: 0x05,
  unbind: 0x06,
  bind_transceiver: 0x09,
  outbind: 0x0b,
  enquire_link: 0x15,
  alert_notification: 0x102,
  data_sm: 0x103,
} as const

export type CommandName = keyof typeof commands

export const responseBit = 0x80000000

/** The response to a PDU with an invalid header (SMPP 3.4 section 4.3). */
export const genericNack = 0x80000000

export const headerLength = 16

export interface Pdu {
  readonly command: number
  readonly status: number
  readonly sequence: number
  /** A view of the received octets. */
  readonly body: Buffer
}

/** SMPP address: a number or name with its type and plan (SMPP 3.4 sections 5.2.5 and 5.2.6). */
export interface SmppAddress {
  readonly address: string
  readonly ton: number
  readonly npi: number
}

/** An optional parameter (SMPP 3.4 section 5.3). */
export interface Tlv {
  readonly tag: number
  readonly value: Uint8Array
}

/** Tags of optional parameters (SMPP 3.4 section 5.3.2). */
export const tags = {
  dest_addr_subunit: 0x0005,
  receipted_message_id: 0x001e,
  ms_msg_wait_facilities: 0x0030,
  destination_port: 0x020b,
  sar_msg_ref_num: 0x020c,
  sar_total_segments: 0x020e,
  sar_segment_seqnum: 0x020f,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  message_state: 0x0427,
} as const

/** The octets of a PDU are not those of its command. */
export class PduError extends Error {
  override readonly name = 'PduError'
}
