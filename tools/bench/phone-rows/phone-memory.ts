import type { Bench } from '../bench.js'
import type { Figure } from '../report/figure.js'
import { createMessages, startPhoneRun, waitForAnswers } from './phone.js'

/** Messages between two looks at the memory. */
const step = 1000
const window = 500

/** Measures whether the resident memory of `smsrelay phone` grows with the messages it sends. */
export async function measurePhoneMemory(bench: Bench): Promise<Figure[]> {
  const total = bench.options.million
  await using run = await startPhoneRun(bench, { concurrency: window, name: 'phone-memory' })
  const { client, phone, smsc } = run
  /** Highest memory while the messages up to this number are sent. */
  const sendUntil = async (first: number, last: number): Promise<number> => {
    let highest = 0
    for (let sent = first; sent < last; sent += step) {
      await createMessages(client, step)
      await waitForAnswers(smsc, sent + step)
      highest = Math.max(highest, (await phone.getUsage()).memory)
    }
    return highest
  }
  const tenth = Math.ceil(total / 10 / step) * step
  await sendUntil(0, tenth / 2)
  const early = await sendUntil(tenth / 2, tenth)
  await sendUntil(tenth, total - tenth)
  const late = await sendUntil(total - tenth, total)
  return [
    {
      row: 'phone: resident memory, compared with a tenth of the messages',
      value: late / early,
      unit: 'ratio',
      target: { most: 1.1 },
      note: `${formatMegabytes(early)} and ${formatMegabytes(late)} MB; ${total} messages`,
    },
  ]
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
