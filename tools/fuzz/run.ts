// npm run fuzz -- [--requests 1000000] [--seed 1] [--first 0]
// npm run fuzz -- --smpp [--pdus 10000000] [--seed 1]
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.js'
import { fuzzSmpp } from './smpp-fuzz.js'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    smpp: { type: 'boolean', default: false },
    pdus: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
  },
})
const seed = Number(values.seed)
const began = performance.now()

function showShare(done: number, all: number, shown: { share: number }, text: string): void {
  const share = Math.floor((20 * done) / all)
  if (share === shown.share) return
  shown.share = share
  console.error(`${5 * share} %: ${text}`)
}

async function fuzzRequests(): Promise<string> {
  const requests = Number(values.requests)
  const shown = { share: 0 }
  const result = await fuzz({
    ...{ requests, seed, first: Number(values.first) },
    onProgress: ({ requests: done, accepted }) =>
      showShare(done, requests, shown, `${done} requests, ${accepted} accepted`),
  })
  return (
    `${result.requests} requests in ${result.streams} streams, ` +
    `${result.accepted} accepted, no difference; grew by ${result.memory} MiB`
  )
}

function fuzzPdus(): string {
  const pdus = Number(values.pdus)
  const shown = { share: 0 }
  const result = fuzzSmpp({
    ...{ pdus, seed },
    onProgress: ({ pdus: done, decoded }) =>
      showShare(done, pdus, shown, `${done} PDUs, ${decoded} decoded`),
  })
  return `${result.pdus} PDUs, ${result.decoded} decoded; grew by ${result.memory} MiB`
}

const text = values.smpp ? fuzzPdus() : await fuzzRequests()
console.log(`seed ${seed}: ${text}; ${((performance.now() - began) / 1000).toFixed(0)} s`)
