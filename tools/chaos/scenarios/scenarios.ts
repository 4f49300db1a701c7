import * as points from './crash-points.js'
import { cutNetwork } from './cut-network.js'
import { fillMemory, silenceModem } from './disturb-modem.js'
import { cutSmsc, disturbReceipts, silenceSmsc } from './disturb-smsc.js'
import { fillDisk, fillPhoneDisk } from './fill-disk.js'
import { growJournal } from './grow-journal.js'
import { killPhoneAtPoints, killPhoneInsideDriver } from './kill-phone.js'
import { killRelayAnyTime, killRelayAtPoints, terminateProcesses } from './kill-relay.js'
import { moveClock } from './move-clock.js'
import { releaseMessages } from './release.js'
import { revokeTokens } from './revoke-tokens.js'
import { defaultOptions, runUndisturbed, type Scenario } from './scenario.js'

const failingLoad = { ...defaultOptions.load, failEvery: 4 }

const batchLoad = { ...failingLoad, creators: 2, batch: 10 }

const quickNames = ['create', 'event', 'phone-inside', 'phone-after', 'network', 'received-phone']

function createScenario(
  name: string,
  title: string,
  run: Scenario['run'],
  options: Partial<Scenario['options']> = {},
): Scenario {
  const quick = quickNames.includes(name)
  return {
    name,
    title,
    run,
    options: { ...defaultOptions, ...options },
    killsInsideDriver: false,
    quick,
  }
}

/** The rows of the table, in order. */
export const scenarios: readonly Scenario[] = [
  createScenario('no-faults', 'Nothing goes wrong', runUndisturbed),
  createScenario('create', 'kill -9 of the relay at each step of create', (harness, effort) =>
    killRelayAtPoints(harness, points.createPoints, effort),
  ),
  createScenario(
    'create-batch',
    'kill -9 of the relay at each step of a batch of creations, and power cuts',
    (harness, effort) => killRelayAtPoints(harness, points.batchCreatePoints, effort),
    { load: batchLoad },
  ),
  createScenario('claim', 'kill -9 of the relay at each step of NEXT', (harness, effort) =>
    killRelayAtPoints(harness, points.claimPoints, effort),
  ),
  createScenario(
    'report',
    'kill -9 of the relay at each step of success and failure',
    (harness, effort) => killRelayAtPoints(harness, points.reportPoints, effort),
    { load: failingLoad },
  ),
  createScenario('event', 'kill -9 of the relay at each step of an event', (harness, effort) =>
    killRelayAtPoints(harness, points.eventPoints, effort),
  ),
  createScenario(
    'compaction',
    'kill -9 of the relay at each step of compaction',
    (harness, effort) =>
      killRelayAtPoints(harness, points.compactionPoints, effort, () => growJournal(harness)),
    { load: { ...defaultOptions.load, longest: 1600 } },
  ),
  createScenario('any-time', 'kill -9 of the relay at any time', killRelayAnyTime),
  createScenario(
    'power',
    'Power cut at the relay: data that was not synced is lost',
    (harness, effort) => killRelayAtPoints(harness, points.powerPoints, effort),
    { load: failingLoad },
  ),
  createScenario(
    'compaction-power',
    'Power cut at the relay during compaction',
    (harness, effort) =>
      killRelayAtPoints(harness, points.compactionPowerPoints, effort, () => growJournal(harness)),
    { load: { ...defaultOptions.load, longest: 1600 } },
  ),
  // The dispatcher starts a message while the outcome of another one is written and reported, so a
  // kill before or after the driver may be one inside the driver for that message.
  {
    ...createScenario('phone-before', 'kill -9 of the phone before the driver', (harness, effort) =>
      killPhoneAtPoints(harness, points.phoneBeforePoints, effort),
    ),
    killsInsideDriver: true,
  },
  {
    ...createScenario('phone-inside', 'kill -9 of the phone inside the driver', (harness, effort) =>
      killPhoneInsideDriver(
        harness,
        ['unsent', 'unsent-goes-on', 'sent'],
        points.phoneInsidePoints,
        effort,
      ),
    ),
    killsInsideDriver: true,
  },
  {
    ...createScenario('phone-after', 'kill -9 of the phone after the driver', (harness, effort) =>
      killPhoneAtPoints(harness, points.phoneAfterPoints, effort),
    ),
    killsInsideDriver: true,
  },
  {
    ...createScenario(
      'phone-window',
      'kill -9 of a phone with 16 messages in flight, at any step',
      (harness, effort) =>
        killPhoneAtPoints(
          harness,
          [...points.phoneBeforePoints, ...points.phoneAfterPoints],
          effort,
        ),
      { phones: [16], load: failingLoad },
    ),
    killsInsideDriver: true,
  },
  createScenario(
    'network',
    'Network cut before and after each request, and during its reply',
    cutNetwork,
    {
      load: { ...failingLoad, signInOften: true },
    },
  ),
  createScenario(
    'batch-network',
    'Network cut before and after each batch, and during its reply',
    (harness, effort) => cutNetwork(harness, effort, ['create-batch', 'next', 'report']),
    { load: batchLoad, phones: [8, 8] },
  ),
  createScenario('revoked-token', 'Token of a phone revoked while it holds a batch', revokeTokens, {
    phones: [8, 8],
    load: failingLoad,
  }),
  createScenario('disk', 'Disk of the relay full or failing', fillDisk),
  createScenario('phone-disk', 'Disk of the phones full or failing', fillPhoneDisk),
  createScenario('two-phones', 'Two phones at the same time', runUndisturbed, { phones: [1, 1] }),
  createScenario('eight-phones', 'Eight phones at the same time', runUndisturbed, {
    phones: [1, 1, 1, 1, 1, 1, 1, 1],
  }),
  createScenario(
    'two-phones-of-four',
    'Two phones with --concurrency 4 at the same time',
    runUndisturbed,
    {
      phones: [4, 4],
    },
  ),
  createScenario('clock', 'Clock of the relay moved forward and back by hours', moveClock, {
    // A clock that moves forward ends leases, and a second phone would get the message in progress.
    phones: [1],
    movesClock: true,
  }),
  createScenario(
    'release',
    'A phone stops and releases a message: requests cut, phone or relay killed',
    releaseMessages,
  ),
  {
    ...createScenario(
      'received-phone',
      'kill -9 of the phone at each step of receiving a text',
      (harness, effort) => killPhoneAtPoints(harness, points.phoneReceivedPoints, effort),
      { incoming: true },
    ),
    // Texts arrive while the driver sends others.
    killsInsideDriver: true,
  },
  createScenario(
    'received-relay',
    'kill -9 of the relay at each step of a received text, and power cuts',
    (harness, effort) => killRelayAtPoints(harness, points.receivedPoints, effort),
    { incoming: true },
  ),
  createScenario(
    'received-network',
    'Network cut before and after the report of a received text',
    (harness, effort) => cutNetwork(harness, effort, ['received', 'next', 'report']),
    { incoming: true },
  ),
  {
    ...createScenario('smsc-silent', 'SMSC that responds to no text for a while', silenceSmsc, {
      ...{ sendsToSmsc: true, phones: [5] },
    }),
    killsInsideDriver: true,
  },
  {
    ...createScenario('smsc-cut', 'SMSC that cuts the connection in mid-window', cutSmsc, {
      ...{ sendsToSmsc: true, phones: [5, 5] },
    }),
    killsInsideDriver: true,
  },
  {
    ...createScenario(
      'receipts',
      'Receipts doubled, early and repeated, and kill -9 of the phone at each step of them',
      disturbReceipts,
      {
        ...{ sendsToSmsc: true, phones: [5] },
      },
    ),
    killsInsideDriver: true,
  },
  {
    ...createScenario('silent-modem', 'The modem that sends does not answer', silenceModem, {
      phones: [1],
      sendsByModem: true,
    }),
    // The phone cannot know whether a text without an answer was sent.
    killsInsideDriver: true,
  },
  createScenario('memory-full', 'The memory of the modem is full', fillMemory, { incoming: true }),
  createScenario('terminate', 'SIGTERM of relay and phones under load', terminateProcesses),
]
