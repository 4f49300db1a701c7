import { compareOtherClient } from '../harness/latency.js'
import { formatRequest, openConnection, readStatuses } from '../harness/raw-connection.js'
import { limitFigure } from '../result.js'
import { runMany, type Scenario } from './scenario.js'

const clients = 50
const rounds = 8
const boundary = 'x'.repeat(20)
const type = `multipart/form-data; boundary=${boundary}`

/** Sizes of a part in KiB, and the status of the reply: the limit of a body is 256 KiB. */
const sizes = [
  [20, 400],
  [200, 400],
  [300, 413],
  [5000, 413],
] as const

export const largeBodies: Scenario = {
  name: 'bodies',
  title: `${clients} clients send ${rounds} files or binary fields of 20 KiB to 5 MiB each`,
  run: async world => {
    const relay = await world.startRelay()
    const client = await world.signIn(relay)
    const other = await world.signInOther(relay)
    const requests = sizes.flatMap(([size, expected]) =>
      ['', '; filename="a.bin"'].map(part => {
        const body = formatBody(part, size * 1024)
        const text = formatRequest('POST /api/1/message', client.token, { body, type })
        const request = Buffer.from(text.replace('\r\n', '\r\nConnection: close\r\n'))
        return { expected, request }
      }),
    )
    let [wrong, longest] = [0, 0]
    const send = async (number: number): Promise<void> => {
      const { expected, request } = requests[number % requests.length] as (typeof requests)[0]
      const from = performance.now()
      const { socket, closed } = await openConnection(relay.port)
      socket.write(request)
      if (readStatuses(await closed)[0] !== expected) wrong += 1
      longest = Math.max(longest, performance.now() - from)
    }
    const others = await compareOtherClient(
      other,
      async () => await runMany(clients * rounds, clients, send),
    )
    return [
      limitFigure('bodies without the right reply', wrong, '', 0),
      limitFigure('longest time until the reply', longest / 1000, 's', 10),
      ...others,
    ]
  },
}

function formatBody(part: string, size: number): string {
  return [
    `--${boundary}`,
    `Content-Disposition: form-data; name="message"${part}`,
    'Content-Type: application/octet-stream',
    '',
    'b'.repeat(size),
    `--${boundary}--`,
    '',
  ].join('\r\n')
}
