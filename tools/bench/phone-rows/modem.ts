import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { getMedian } from '../../report/median.js'
import type { Bench } from '../bench.js'
import {
  connectOverPty,
  connectOverTcp,
  isInstalled,
  type ModemConnection,
} from '../modem/modem-connection.js'
import { sendByDriver, sendBySmstools } from '../modem/senders.js'
import { createTimedModem, getPartRate } from '../modem/timed-modem.js'
import type { Figure } from '../report/figure.js'

/** Seconds for smstools, which starts slowly. */
const peerSeconds = 20

type Open = (
  modem: ReturnType<typeof createTimedModem>['modem'],
  folder: string,
) => Promise<ModemConnection>
type Send = (device: string, folder: string) => Promise<void>

/** Measures the driver `modem` on a simulated modem over TCP and a pty, and smstools on the pty. */
export async function measureModem({ options }: Bench): Promise<Figure[]> {
  const { base, rounds, seconds } = options
  const ours: Send = device => sendByDriver(device, seconds)
  const overTcp = await measureMedian(rounds, () => measureRate(base, connectOverTcp, ours))
  const hasPty = isInstalled('socat', '-V')
  const overPty = hasPty
    ? await measureMedian(rounds, () => measureRate(base, connectOverPty, ours))
    : undefined
  const theirs =
    hasPty && isInstalled('smsd', '-h')
      ? await measureRate(base, connectOverPty, (device, folder) =>
          sendBySmstools(device, folder, peerSeconds),
        )
      : undefined
  return [
    createFigure('over TCP', overTcp, ''),
    createFigure('over a pty', overPty, overPty === undefined ? 'socat is not installed' : ''),
    {
      row: 'modem: over a pty, compared with smstools',
      value: overPty !== undefined && theirs !== undefined ? overPty / theirs : undefined,
      unit: 'ratio',
      target: { least: 1 },
      note:
        theirs === undefined
          ? 'smstools or socat is not installed'
          : `smstools ${theirs.toFixed(2)} /s`,
    },
  ]
}

function createFigure(line: string, value: number | undefined, note: string): Figure {
  return { row: `modem: texts ${line}`, value, unit: '/s', target: { least: 10 }, note }
}

async function measureMedian(rounds: number, measure: () => Promise<number | undefined>) {
  const values: number[] = []
  for (let round = 0; round < rounds; round += 1) values.push((await measure()) ?? Number.NaN)
  return getMedian(values)
}

async function measureRate(base: string, open: Open, send: Send): Promise<number | undefined> {
  const folder = mkdtempSync(join(base, 'smsrelay-modem-'))
  const { modem: counterpart, times } = createTimedModem()
  const line = await open(counterpart, folder)
  try {
    await send(line.device, folder)
    return getPartRate(times)
  } finally {
    await line.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
