// npm run fuzz -- [--requests 1000000] [--seed 1] [--first 0]
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.js'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)
const first = Number(values.first)
const began = performance.now()
let shown = 0
const result = await fuzz({
  ...{ requests, seed, first },
  onProgress: ({ requests: done, accepted }) => {
    const share = Math.floor((20 * done) / requests)
    if (share === shown) return
    shown = share
    console.error(`${5 * share} %: ${done} requests, ${accepted} accepted`)
  },
})
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(
  `seed ${seed}: ${result.requests} requests in ${result.streams} streams, ` +
    `${result.accepted} accepted, no difference; ${seconds} s, at most ${result.memory} MiB`,
)
