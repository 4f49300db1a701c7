import { type Cell, ordinary } from './cell.js'
import { fillDisk, fillPhoneDisk } from './disk.js'
import { giveBack } from './give-back.js'
import { killPhone, killPhoneBoth } from './kill-phone.js'
import { killService, killServiceAnyTime } from './kill-service.js'
import { makeNearlyDue } from './nearly-due.js'
import { cutNetwork } from './network.js'
import { moveClock, nothing, terminate } from './others.js'
import * as points from './points.js'

const failing = { ...ordinary.load, failEvery: 4 }

const quickOnes = ['create', 'event', 'phone-inside', 'phone-after', 'network', 'received-phone']

function cell(
  name: string,
  title: string,
  run: Cell['run'],
  options: Partial<Cell['options']> = {},
): Cell {
  const quick = quickOnes.includes(name)
  return { name, title, run, options: { ...ordinary, ...options }, killsInsideDriver: false, quick }
}

/** The rows of the table, in their order. */
export const cells: readonly Cell[] = [
  cell('calm', 'Nothing goes wrong', nothing),
  cell('create', 'kill -9 of the service at each step of create', (world, effort) =>
    killService(world, points.createPoints, effort),
  ),
  cell('claim', 'kill -9 of the service at each step of NEXT', (world, effort) =>
    killService(world, points.claimPoints, effort),
  ),
  cell(
    'report',
    'kill -9 of the service at each step of success and failure',
    (world, effort) => killService(world, points.reportPoints, effort),
    { load: failing },
  ),
  cell('event', 'kill -9 of the service at each step of an event', (world, effort) =>
    killService(world, points.eventPoints, effort),
  ),
  cell(
    'compaction',
    'kill -9 of the service at each step of compaction',
    (world, effort) =>
      killService(world, points.compactionPoints, effort, () => makeNearlyDue(world)),
    { load: { ...ordinary.load, longest: 1600 } },
  ),
  cell('any-time', 'kill -9 of the service at any time', killServiceAnyTime),
  cell(
    'power',
    'Power cut at the service: un-synced data is lost',
    (world, effort) => killService(world, points.powerPoints, effort),
    { load: failing },
  ),
  cell(
    'compaction-power',
    'Power cut at the service during compaction',
    (world, effort) =>
      killService(world, points.compactionPowerPoints, effort, () => makeNearlyDue(world)),
    { load: { ...ordinary.load, longest: 1600 } },
  ),
  cell('phone-before', 'kill -9 of the phone before the driver', (world, effort) =>
    killPhone(world, points.phoneBeforePoints, effort),
  ),
  {
    ...cell('phone-inside', 'kill -9 of the phone inside the driver', (world, effort) =>
      killPhoneBoth(world, ['unsent', 'unsent-goes-on', 'sent'], points.phoneInsidePoints, effort),
    ),
    killsInsideDriver: true,
  },
  cell('phone-after', 'kill -9 of the phone after the driver', (world, effort) =>
    killPhone(world, points.phoneAfterPoints, effort),
  ),
  cell('network', 'Network cut before and after each request reaches its server', cutNetwork, {
    load: { ...failing, signInOften: true },
  }),
  cell('disk', 'Disk of the service full, or failing', fillDisk),
  cell('phone-disk', 'Disk of the phones full, or failing', fillPhoneDisk),
  cell('two-phones', 'Two phones race', nothing, { phones: [1, 1] }),
  cell('eight-phones', 'Eight phones race', nothing, { phones: [1, 1, 1, 1, 1, 1, 1, 1] }),
  cell('eight-hands', 'Two phones with four messages in hand each race', nothing, {
    phones: [4, 4],
  }),
  cell('clock', 'Clock of the service moved by hours, forward and back', moveClock, {
    // A clock that steps forward ends leases, and another phone would get what this one is sending.
    phones: [1],
    movesClock: true,
  }),
  cell(
    'give-back',
    'A phone stops with a message to give back; requests cut, phone or service killed at that',
    giveBack,
  ),
  {
    ...cell(
      'received-phone',
      'kill -9 of the phone at each step of a text that comes in',
      (world, effort) => killPhone(world, points.phoneReceivedPoints, effort),
      { incoming: true },
    ),
    // Texts come in while the driver sends others.
    killsInsideDriver: true,
  },
  cell(
    'received-service',
    'kill -9 of the service at each step of taking such a text, and power cuts',
    (world, effort) => killService(world, points.receivedPoints, effort),
    { incoming: true },
  ),
  cell(
    'received-network',
    'Network cut around the report of such a text',
    (world, effort) => cutNetwork(world, effort, ['received', 'next', 'success']),
    { incoming: true },
  ),
  cell('terminate', 'SIGTERM under load, service and phones', terminate),
]
