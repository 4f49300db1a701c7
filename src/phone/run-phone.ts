// A phone: its dispatcher, and the tasks that run until the dispatcher ends.
//
// 1. `runPhone` runs the dispatcher (dispatch/dispatcher.ts), which fetches, sends and reports.
// 2. Meanwhile it runs the watches of the driver (driver-state/driver-status.ts), forwards received
//    texts (received/received-forwarder.ts) and receipts (receipts/receipt-forwarder.ts), and
//    reports presence (relay/presence.ts) and network (relay/network-reporter.ts).
//
// Drivers are in drivers/, made by driver-set.ts; the interface between both is driver-port/.

import { type Clock, createClock } from '../util/async/clock.js'
import { type DispatcherOptions, runDispatcher } from './dispatch/run-dispatcher.js'
import { DriverStatus, runWatch } from './driver-state/driver-status.js'
import { mergeEvents, type PhoneEvent, type PhoneResult } from './events/phone-events.js'
import { forwardReceipts } from './receipts/receipt-forwarder.js'
import { ReceiptInbox, type ReceiptStore, trackReceipts } from './receipts/receipt-inbox.js'
import { forwardReceived } from './received/received-forwarder.js'
import { ReceivedInbox, type ReceivedStore } from './received/received-inbox.js'
import { runNetworkReporter } from './relay/network-reporter.js'
import { PresenceTracker, runPresenceReporter } from './relay/presence.js'

export interface RunPhoneOptions extends Omit<DispatcherOptions, 'driverStatus' | 'presence'> {
  /** Store of the phone's received texts. @default memory */
  readonly received?: ReceivedStore
  /** Store of the phone's receipts. @default memory */
  readonly receipts?: ReceiptStore
  /**
   * Whether the phone reports received texts to the relay, or only emits them as events.
   * @default true
   */
  readonly forward?: boolean
  /** Maximum rates, in parts, that the phone reports with its network. @default none */
  readonly rates?: readonly string[] | undefined
}

/** Runs a phone until it is stopped. Throws as {@link runDispatcher} does. */
export async function runPhone(options: RunPhoneOptions): Promise<PhoneResult> {
  const { clock = createClock() } = options
  const ended = new AbortController()
  const inbox = createInbox(options, clock)
  const receipts = createReceiptInbox(options, clock)
  options.driver.listen?.({
    onText: async text => await inbox.onText(text),
    onReceipt: async receipt => await receipts.onReceipt(receipt),
    isOwnReceipt: async (receipt, isCertain) => await receipts.isOwn(receipt, isCertain),
    onUndecodable: async received => await inbox.onUndecodable(received),
    onIgnored: ignored => inbox.onIgnored(ignored),
    getFirstRun: async name => await inbox.getFirstRun(name),
  })
  const phone = {
    options: { ...options, driver: trackReceipts(options.driver, receipts) },
    clock,
    inbox,
    receipts,
    driverStatus: new DriverStatus(),
    presence: new PresenceTracker(clock),
    emit: mergeEvents(options.onEvent ?? (() => {})),
  }
  const { driverStatus, presence, emit } = phone
  const sideTasks = runSideTasks(phone, ended.signal)
  try {
    const onEvent = (event: PhoneEvent) => emit(0, event)
    const result = await runDispatcher({ ...phone.options, clock, driverStatus, presence, onEvent })
    const trouble = result.trouble ?? driverStatus.trouble
    return { ...result, ...(trouble === undefined ? {} : { trouble }) }
  } finally {
    ended.abort()
    await sideTasks
  }
}

interface Phone {
  readonly options: RunPhoneOptions
  readonly clock: Clock
  readonly inbox: ReceivedInbox
  readonly receipts: ReceiptInbox
  readonly driverStatus: DriverStatus
  readonly presence: PresenceTracker
  readonly emit: (source: number, event: PhoneEvent) => void
}

function createInbox(options: RunPhoneOptions, clock: Clock): ReceivedInbox {
  const { received: store, forward = true, onEvent = () => {} } = options
  return new ReceivedInbox({ onEvent, forward, clock, ...(store === undefined ? {} : { store }) })
}

function createReceiptInbox(options: RunPhoneOptions, clock: Clock): ReceiptInbox {
  const { receipts: store, onEvent = () => {} } = options
  return new ReceiptInbox({ onEvent, clock, ...(store === undefined ? {} : { store }) })
}

/** Runs the phone's side tasks until stopped. The sources of their events have negative numbers. */
async function runSideTasks(phone: Phone, stop: AbortSignal): Promise<void> {
  const { options, clock, inbox, receipts, driverStatus, presence, emit } = phone
  const { client, driver, quiet, rates, once = false, random = Math.random } = options
  const { force = new AbortController().signal } = options
  const watches = (driver.watches ?? []).map(async (watch, index) => {
    const onEvent = (event: PhoneEvent) => emit(-3 - index, event)
    await runWatch(watch, { driverStatus, clock, random, stop, onEvent })
  })
  const shared = { client, clock, random, stop, force }
  await Promise.all([
    ...watches,
    forwardReceived({
      ...shared,
      inbox,
      driverName: driver.name,
      onEvent: event => emit(-1, event),
    }),
    forwardReceipts({ ...shared, inbox: receipts, onEvent: event => emit(-2, event) }),
    ...(once ? [] : [runPresenceReporter({ presence, client, quiet, clock, stop })]),
    ...(once ? [] : [runNetworkReporter({ driver, rates, client, quiet, clock, stop })]),
  ])
}
