import type { CallOptions } from '../../../client/call-options.js'
import type { MessageClient } from '../../../client/message-client.js'
import type { MessageFields } from '../../../contract/message-schema.js'
import { maxAttempts } from '../../../domain/message/message.js'
import { isRelayError, RelayError } from '../../../errors.js'

export interface ReportApi {
  readonly messages: Pick<
    MessageClient,
    'get' | 'reportSuccess' | 'reportFailure' | 'reportDelivery'
  >
}

export async function reportSent(
  client: ReportApi,
  { id }: MessageFields,
  options: CallOptions,
): Promise<void> {
  const report = () => client.messages.reportSuccess(id, { parts: 1 }, options)
  assertStatus(await reportOrGet(client, id, options, report), 'S')
}

export async function reportReceipt(
  client: ReportApi,
  { id }: MessageFields,
  state: 'delivered' | 'expired',
  options: CallOptions,
): Promise<void> {
  const [result] = await client.messages.reportDelivery([{ id, state }], options)
  if (result?.status === 200) return
  throw new RelayError(
    'invalid_state',
    result?.error_description ?? `Message ${id} has no receipt.`,
  )
}

/**
 * Reports failures of a `hook trigger` message until it is Failed; otherwise like {@link
 * reportSent}.
 */
export async function reportFailed(
  client: ReportApi,
  { id }: MessageFields,
  options: CallOptions,
): Promise<void> {
  const failure = { error_message: 'This test number always fails.' }
  const report = () => client.messages.reportFailure(id, failure, options)
  let message = await reportOrGet(client, id, options, report)
  for (let retries = maxAttempts; message.status === 'E' && retries > 0; retries -= 1) {
    message = await reportOrGet(client, id, options, report)
  }
  assertStatus(message, 'F')
}

/**
 * Reports on a `hook trigger` message; if it is final already, for example by a phone, gets it
 * instead.
 */
async function reportOrGet(
  client: ReportApi,
  id: string,
  options: CallOptions,
  report: () => Promise<MessageFields>,
): Promise<MessageFields> {
  try {
    return await report()
  } catch (error) {
    if (!isRelayError(error, 'invalid_state')) throw error
    return await client.messages.get(id, options)
  }
}

function assertStatus({ id, status }: MessageFields, expected: MessageFields['status']): void {
  if (status === expected) return
  const message = `Message ${id} has the status ${status} instead of ${expected}.`
  throw new RelayError('invalid_state', message, {
    hint: 'Another program changed it. Run the command again.',
  })
}
