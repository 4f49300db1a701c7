import type { MessageClient } from '../../../client/message-client.js'
import type { CallOptions } from '../../../client/transport.js'
import type { MessageFields } from '../../../contract/message-schema.js'
import { maxAttempts } from '../../../domain/message/message.js'
import { isRelayError, RelayError } from '../../../errors.js'

/** The part of a client that settling needs. */
export interface ReportApi {
  readonly messages: Pick<MessageClient, 'get' | 'reportSuccess' | 'reportFailure'>
}

/**
 * Reports a message sent; fine when somebody else did so first. Throws `invalid_state` when it has come to another
 * end.
 */
export async function reportSent(
  client: ReportApi,
  { id }: MessageFields,
  call: CallOptions,
): Promise<void> {
  const report = () => client.messages.reportSuccess(id, { parts: 1 }, call)
  assertStatus(await reportOrGet(client, id, call, report), 'S')
}

/** Reports a message failed until it is Failed; otherwise as {@link settleSent}. */
export async function reportFailed(
  client: ReportApi,
  { id }: MessageFields,
  call: CallOptions,
): Promise<void> {
  const failure = { error_message: 'This test number always fails.' }
  const report = () => client.messages.reportFailure(id, failure, call)
  let message = await reportOrGet(client, id, call, report)
  for (let left = maxAttempts; message.status === 'E' && left > 0; left -= 1) {
    message = await reportOrGet(client, id, call, report)
  }
  assertStatus(message, 'F')
}

/** The message after a report, or as it is when somebody else's was the last. */
async function reportOrGet(
  client: ReportApi,
  id: string,
  call: CallOptions,
  report: () => Promise<MessageFields>,
): Promise<MessageFields> {
  try {
    return await report()
  } catch (error) {
    if (!isRelayError(error, 'invalid_state')) throw error
    return await client.messages.get(id, call)
  }
}

function assertStatus({ id, status }: MessageFields, wanted: MessageFields['status']): void {
  if (status === wanted) return
  throw new RelayError(
    'invalid_state',
    `Message ${id} came to the status ${status}, not ${wanted}.`,
    { hint: 'Somebody else changed it meanwhile.' },
  )
}
