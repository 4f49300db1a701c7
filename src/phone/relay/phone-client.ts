import type { MessageClient } from '../../client/message-client.js'
import type { ReceivedTextClient } from '../../client/received-text-client.js'
import type { StatusClient } from '../../client/status-client.js'

export interface PhoneClient {
  readonly messages: Pick<MessageClient, 'nextBatch' | 'report' | 'get' | 'reportDelivery'>
  readonly receivedTexts: Pick<ReceivedTextClient, 'report'>
  readonly status: Pick<StatusClient, 'reportPresence'>
}
