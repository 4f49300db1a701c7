import { type Cell, defaultOptions } from './cell.js'
import { fillDisk, fillPhoneDisk } from './disk.js'
import { killPhone, killPhoneBoth } from './kill-phone.js'
import { killService, killServiceAnyTime } from './kill-service.js'
import { makeNearlyDue } from './nearly-due.js'
import { cutNetwork } from './network.js'
import { moveClock, runWithoutFaults, terminate } from './others.js'
import * as points from './points.js'
import { releaseMessages } from './release.js'

const failing = { ...defaultOptions.load, failEvery: 4 }

const quickCells = ['create', 'event', 'phone-inside', 'phone-after', 'network', 'received-phone']

function cell(
  name: string,
  title: string,
  run: Cell['run'],
  options: Partial<Cell['options']> = {},
): Cell {
  const quick = quickCells.includes(name)
  return {
    name,
    title,
    run,
    options: { ...defaultOptions, ...options },
    killsInsideDriver: false,
    quick,
  }
}

/** The rows of the table. */
export const cells: readonly Cell[] = [
  cell('no-faults', 'No faults', runWithoutFaults),
  cell('create', 'kill -9 of the relay at each step of create', (world, effort) =>
    killService(world, points.createPoints, effort),
  ),
  cell('claim', 'kill -9 of the relay at each step of NEXT', (world, effort) =>
    killService(world, points.claimPoints, effort),
  ),
  cell(
    'report',
    'kill -9 of the relay at each step of success and failure',
    (world, effort) => killService(world, points.reportPoints, effort),
    { load: failing },
  ),
  cell('event', 'kill -9 of the relay at each step of an event', (world, effort) =>
    killService(world, points.eventPoints, effort),
  ),
  cell(
    'compaction',
    'kill -9 of the relay at each step of compaction',
    (world, effort) =>
      killService(world, points.compactionPoints, effort, () => makeNearlyDue(world)),
    { load: { ...defaultOptions.load, longest: 1600 } },
  ),
  cell('any-time', 'kill -9 of the relay at any time', killServiceAnyTime),
  cell(
    'power',
    'Power cut at the relay: data without a sync is lost',
    (world, effort) => killService(world, points.powerPoints, effort),
    { load: failing },
  ),
  cell(
    'compaction-power',
    'Power cut at the relay during compaction',
    (world, effort) =>
      killService(world, points.compactionPowerPoints, effort, () => makeNearlyDue(world)),
    { load: { ...defaultOptions.load, longest: 1600 } },
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
  cell('disk', 'Disk of the relay full, or failing', fillDisk),
  cell('phone-disk', 'Disk of the phones full, or failing', fillPhoneDisk),
  cell('two-phones', 'Two phones race', runWithoutFaults, { phones: [1, 1] }),
  cell('eight-phones', 'Eight phones race', runWithoutFaults, { phones: [1, 1, 1, 1, 1, 1, 1, 1] }),
  cell('two-phones-of-four', 'Two phones with four workers each race', runWithoutFaults, {
    phones: [4, 4],
  }),
  cell('clock', 'Clock of the relay moved by hours, forward and back', moveClock, {
    // A clock that moves forward ends leases: another phone would get a message that is being sent.
    phones: [1],
    movesClock: true,
  }),
  cell(
    'release',
    'A phone stops and releases a message; requests cut, phone or relay killed meanwhile',
    releaseMessages,
  ),
  {
    ...cell(
      'received-phone',
      'kill -9 of the phone at each step of a received text',
      (world, effort) => killPhone(world, points.phoneReceivedPoints, effort),
      { incoming: true },
    ),
    // Texts are received while the driver sends others.
    killsInsideDriver: true,
  },
  cell(
    'received-service',
    'kill -9 of the relay at each step of storing a received text, and power cuts',
    (world, effort) => killService(world, points.receivedPoints, effort),
    { incoming: true },
  ),
  cell(
    'received-network',
    'Network cut around the report of a received text',
    (world, effort) => cutNetwork(world, effort, ['received', 'next', 'success']),
    { incoming: true },
  ),
  cell('terminate', 'SIGTERM under load, relay and phones', terminate),
]
