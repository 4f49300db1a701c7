import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { onTestFinished } from 'vitest'
import { parseIpv6Groups } from '../../../src/net/ip-address.js'

export interface Query {
  readonly name: string
  readonly type: 'A' | 'AAAA'
}

/** The records of a reply in order: `cname` leads to a name, other texts are IP addresses. */
export interface DnsReply {
  readonly addresses?: readonly string[]
  readonly cname?: string
  readonly ttl?: number
  readonly code?: 'not found' | 'server failure'
}

/** What a DNS server does with a query: it stays silent without a reply. */
export type DnsReaction = (query: Query) => DnsReply | undefined

const types: Readonly<Record<number, Query['type']>> = { 1: 'A', 28: 'AAAA' }
const codes = { 'server failure': 2, 'not found': 3 } as const

/** A DNS server over UDP on loopback (RFC 1035), which counts its queries. */
export async function openDnsServer(react: DnsReaction) {
  const queries: Query[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { name, end } = readName(message, 12)
    const query: Query = { name, type: types[message.readUInt16BE(end)] ?? 'A' }
    queries.push(query)
    for (const { count, resolve } of waiting) if (queries.length >= count) resolve()
    const reply = react(query)
    if (reply === undefined) return
    socket.send(formatReply(message.subarray(0, end + 4), query, reply), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return {
    server: `127.0.0.1:${socket.address().port}`,
    queries,
    arrived: async (count: number): Promise<void> => {
      if (queries.length < count)
        await new Promise<void>(resolve => waiting.push({ count, resolve }))
    },
  }
}

function formatReply(question: Buffer, { name, type }: Query, reply: DnsReply): Buffer {
  const { addresses = [], cname, ttl = 60, code } = reply
  const family = type === 'A' ? 4 : 6
  const records = addresses.filter(address => isIP(address) === family)
  const owner = cname ?? name
  const answers = [
    ...(cname === undefined ? [] : [formatRecord(name, 5, ttl, formatName(cname))]),
    ...records.map(each => formatRecord(owner, type === 'A' ? 1 : 28, ttl, formatAddress(each))),
  ]
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | (code === undefined ? 0 : codes[code]), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(answers.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...answers])
}

function formatRecord(name: string, type: number, ttl: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10)
  fields.writeUInt16BE(type, 0)
  fields.writeUInt16BE(1, 2)
  fields.writeUInt32BE(ttl, 4)
  fields.writeUInt16BE(data.length, 8)
  return Buffer.concat([formatName(name), fields, data])
}

function formatName(name: string): Buffer {
  const labels = name
    .split('.')
    .map(label => Buffer.from(`${String.fromCharCode(label.length)}${label}`))
  return Buffer.concat([...labels, Buffer.alloc(1)])
}

function formatAddress(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  return Buffer.from(parseIpv6Groups(address).flatMap(group => [group >> 8, group & 255]))
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}
