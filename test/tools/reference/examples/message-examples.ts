import type { ExampleRequest } from './example-request.js'

const phoneHeaders = { 'X-Phone-Name': 'office', 'X-Phone-Driver': 'modem' }

const later = '2027-01-05 08:00:00'

/** A message that is created, claimed, given back, fails, is held back and restored. */
export const messageExamples: readonly ExampleRequest[] = [
  {
    operation: 'createMessage',
    headers: { 'Idempotency-Key': 'order-4711' },
    body: { message: { destination: '+12025550143', message: 'Your parcel arrives today.' } },
    saves: { message: 'message.id' },
  },
  { operation: 'getMessage', parameters: { id: '$message' }, tag: 'tag' },
  {
    operation: 'editMessage',
    parameters: { id: '$message' },
    headers: { 'If-Match': '$tag' },
    body: { message: { message: 'Your parcel arrives at 5 pm.' } },
  },
  { operation: 'getQueue', headers: phoneHeaders, isFromPhone: true },
  { operation: 'nextMessage', headers: { Prefer: 'wait=25', ...phoneHeaders } },
  {
    operation: 'releaseMessage',
    parameters: { id: '$message' },
    body: { reason: 'The modem has no signal.' },
    isFromPhone: true,
  },
  { operation: 'getNextMessage', headers: phoneHeaders },
  {
    operation: 'reportFailure',
    parameters: { id: '$message' },
    headers: phoneHeaders,
    body: { error_message: 'No network' },
    isFromPhone: true,
  },
  { operation: 'retryMessage', parameters: { id: '$message' } },
  { operation: 'lockMessage', parameters: { id: '$message' } },
  { operation: 'unlockMessage', parameters: { id: '$message' } },
  { operation: 'deleteMessage', parameters: { id: '$message' } },
  { operation: 'undeleteMessage', parameters: { id: '$message' } },
]

/** Messages that are created and sent in batches. */
export const batchExamples: readonly ExampleRequest[] = [
  {
    operation: 'createMessages',
    headers: { 'X-Request-Id': 'reservations-17' },
    body: [
      { destination: '+12025550143', message: 'Your table is free.', idempotency_key: 'table-1' },
      { destination: '12', message: 'Your table is free.', idempotency_key: 'table-2' },
    ],
    saves: { second: 'results.0.message.id' },
  },
  { operation: 'nextMessage', headers: phoneHeaders, isStep: true },
  {
    operation: 'reportSuccess',
    parameters: { id: '$second' },
    headers: phoneHeaders,
    body: { parts: 1 },
    isFromPhone: true,
  },
  {
    operation: 'createMessage',
    body: { message: { destination: '+12025550178', message: 'See you tomorrow.' } },
    saves: { third: 'message.id' },
    isStep: true,
  },
  { operation: 'nextMessage', headers: phoneHeaders, isStep: true },
  {
    operation: 'reportMessages',
    headers: phoneHeaders,
    body: [{ id: '$third', parts: 1 }],
    isFromPhone: true,
  },
  {
    operation: 'reportDelivery',
    body: [{ id: '$second', part: 1, state: 'delivered' }],
    isFromPhone: true,
  },
  {
    operation: 'createMessage',
    body: {
      message: { destination: '+12025550178', message: 'Good morning!', send_on: later },
    },
    isStep: true,
  },
  {
    operation: 'listMessages',
    query: { filter: '{"filter":"all","count":2,"order":"asc"}' },
  },
]

export const phoneExamples: readonly ExampleRequest[] = [
  {
    operation: 'reportReceivedText',
    headers: { 'Idempotency-Key': 'sim-1-0042' },
    body: {
      from: '+12025550143',
      message: 'Thank you!',
      received_on: '2027-01-04 09:01:00',
      phone: 'office',
      to: '+12025550100',
      driver: 'modem',
    },
    isFromPhone: true,
    saves: { received: 'received.id' },
  },
  { operation: 'listReceivedTexts' },
  { operation: 'getReceivedText', parameters: { id: '$received' } },
  { operation: 'listPhones' },
  { operation: 'forgetPhone', parameters: { name: 'office' } },
]
