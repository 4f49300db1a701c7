// Child process: an SMSC that accepts every bind and answers every submit_sm at once. It says how
// many it has answered, and when the last.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { commands, type Pdu, responseBit } from '../../../src/phone/drivers/smpp/pdu/pdu.js'
import { PduReader } from '../../../src/phone/drivers/smpp/pdu/pdu-reader.js'
import { PduWriter } from '../../../src/phone/drivers/smpp/pdu/pdu-writer.js'
import { sendCpuTime } from './send-cpu-time.js'

/** Requests whose responses have no body. */
const hasEmptyResponse = new Set<number>([commands.enquire_link, commands.unbind])

let answered = 0
let lastAt = 0

function serve(socket: Socket): void {
  const reader = new PduReader()
  const writer = new PduWriter()
  const respond = ({ command, sequence }: Pdu): void => {
    if (command >= responseBit) return
    if (command === commands.submit_sm) answered += 1
    writer.begin(command + responseBit, 0, sequence)
    if (!hasEmptyResponse.has(command)) writer.cString(`${sequence}`)
    writer.end()
  }
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    reader.read(chunk, respond)
    if (writer.length > 0) socket.write(writer.take())
    lastAt = performance.timeOrigin + performance.now()
  })
}

const server = createServer(serve)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.once('disconnect', () => process.exit(0))
sendCpuTime({ answered: () => ({ answered, lastAt }) })
process.send?.((server.address() as AddressInfo).port)
