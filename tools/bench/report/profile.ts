// Prints the functions of CPU profiles with the most self time. Arguments: profiles.
import { readFileSync } from 'node:fs'

interface Node {
  readonly id: number
  readonly callFrame: {
    readonly functionName: string
    readonly url: string
    readonly lineNumber: number
  }
}

interface Profile {
  readonly nodes: readonly Node[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const maxFunctions = 40

/** Self time of each function in milliseconds, the longest first, without idle time. */
function getSelfTimes({ nodes, samples, timeDeltas }: Profile): [name: string, time: number][] {
  const names = new Map(nodes.map(node => [node.id, formatFunction(node)]))
  const times = new Map<string, number>()
  for (const [at, sample] of samples.entries()) {
    const name = names.get(sample) ?? ''
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[at] ?? 0) / 1000)
  }
  times.delete('(idle)')
  return [...times].sort((a, b) => b[1] - a[1])
}

function formatFunction({ callFrame: { functionName, url, lineNumber } }: Node): string {
  const place = url.replace(/^.*\/(?=dist\/|node_modules\/)/, '')
  const name = functionName === '' ? '(anonymous)' : functionName
  return place === '' ? name : `${name} ${place}:${lineNumber + 1}`
}

for (const path of process.argv.slice(2)) {
  const times = getSelfTimes(JSON.parse(readFileSync(path, 'utf8')) as Profile)
  const sum = times.reduce((total, [, time]) => total + time, 0)
  console.log(`${path}: ${sum.toFixed(0)} ms at work`)
  for (const [name, time] of times.slice(0, maxFunctions)) {
    console.log(`${((100 * time) / sum).toFixed(1).padStart(6)} %  ${name}`)
  }
}
