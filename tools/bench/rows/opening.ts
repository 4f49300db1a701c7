import type { Bench } from '../bench.js'
import type { Figure } from '../report/figure.js'
import type { Opening } from '../servers/open-probe.js'

/** Measures the opening of a full store, in its own process. */
export async function measureOpening({ options, children }: Bench): Promise<Figure[]> {
  const { million } = options
  const directory = await children.seed({ sent: million - 1000, due: 1000 })
  const openings: Opening[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    openings.push((await children.runChild('open-probe', [directory], ['--expose-gc'])) as Opening)
  }
  children.remove(directory)
  const [best] = openings.sort((a, b) => a.seconds - b.seconds)
  const all = openings.map(({ seconds }) => seconds.toFixed(1)).join(', ')
  const resident = Math.round((best?.residentBytes ?? 0) / million)
  return [
    {
      row: `opening ${million.toLocaleString('en')} messages`,
      ...{ value: best?.seconds, unit: 's', target: { most: 5 } },
      note: `best of ${all} s`,
    },
    {
      row: 'memory of each message',
      value: best === undefined ? undefined : best.heldBytes / million,
      ...{ unit: 'bytes', target: { most: 400 } },
      note: `${resident} bytes resident`,
    },
  ]
}
