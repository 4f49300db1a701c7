import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAddressPolicy, isCidrRange } from '../../src/net/address-policy.js'

const policy = createAddressPolicy()

describe('a range is refused from its first to its last address', () => {
  const edges: [string, string, string, string, string][] = [
    ['10.0.0.0/8', '9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.64.0.0/10', '100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['127.0.0.0/8', '126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
    ['169.254.0.0/16', '169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['172.16.0.0/12', '172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['192.0.0.0/24', '191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
    ['192.0.2.0/24', '192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
    ['192.88.99.0/24', '192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
    ['192.168.0.0/16', '192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['198.18.0.0/15', '198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
    ['198.51.100.0/24', '198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
    ['203.0.113.0/24', '203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
    ['168.63.129.16/32', '168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17'],
    ['2001::/23', '2000:ffff::', '2001::', '2001:1ff:ffff::', '2001:200::'],
    ['2001:db8::/32', '2001:db7:ffff::', '2001:db8::', '2001:db8:ffff::1', '2001:db9::'],
    ['3fff::/20', '3ffe:ffff::1', '3fff::', '3fff:fff:ffff::', '3fff:1000::'],
  ]

  test.each(edges)('%s', (_, before, first, last, after) => {
    const refused = [before, first, last, after].map(each => policy.findRefusal(each) !== undefined)
    expect(refused).toEqual([false, true, true, false])
  })

  test.each([
    ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['224.0.0.0/3', '255.255.255.255', '224.0.0.0', '223.255.255.255'],
    ['2000::/3', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
    ['2000::/3', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::'],
  ])('%s, at one end of all addresses', (_, first, last, neighbour) => {
    const refused = [first, last, neighbour].map(each => policy.findRefusal(each) !== undefined)
    expect(refused).toEqual([true, true, false])
  })
})

describe('a refused address has a kind:', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['0:0:0:0:0:FFFF:7F00:0001', 'loopback'],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['64:ff9b::a00:1', 'private'],
    ['2002:a00:1::1', 'private'],
    ['2002:7f00:1::', 'loopback'],
    ['2002:a9fe:a9fe::', 'link-local'],
    ['::127.0.0.1', 'reserved'],
    ['::ffff:0:127.0.0.1', 'reserved'],
    ['64:ff9b:1::7f00:1', 'reserved'],
    ['2001:0:102:304::1', 'reserved'],
    ['100::1', 'reserved'],
    ['0.0.0.0', 'reserved'],
    ['::', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['169.254.169.254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['::1%lo', 'loopback'],
    ['fec0::1', 'link-local'],
    ['fd00:ec2::254', 'private'],
    ['fc00::1', 'private'],
    ['100.100.100.200', 'private'],
    ['168.63.129.16', 'metadata'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['localhost', 'reserved'],
    ['', 'reserved'],
  ])('%s is %s', (address, kind) => {
    expect(policy.findRefusal(address)).toBe(kind)
  })

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
    '2a00:1450:4001::200e%eth0',
  ])('%s is public and allowed', address => {
    expect(policy.findRefusal(address)).toBeUndefined()
  })
})

describe('the options allow', () => {
  test('loopback addresses and no others', () => {
    const local = createAddressPolicy({ loopback: true })
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect(local.findRefusal(address)).toBeUndefined()
    }
    for (const address of ['0.0.0.0', '::', '::127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      expect(local.findRefusal(address)).toBeDefined()
    }
  })

  test('the given ranges, in every form of their addresses, and no others', () => {
    const some = createAddressPolicy({ allow: ['10.1.0.0/16', '192.168.1.7/32', 'fd00:1::/32'] })
    const allowed = ['10.1.2.3', '::ffff:10.1.2.3', '::ffff:a01:203', '192.168.1.7', 'fd00:1::5']
    for (const address of allowed) expect(some.findRefusal(address)).toBeUndefined()
    const refused = ['10.2.0.1', '192.168.1.8', 'fd00:2::5', '127.0.0.1', '64:ff9b::a01:203']
    for (const address of refused) expect(some.findRefusal(address)).toBeDefined()
  })

  test('all of IPv6 without IPv4, and all of IPv4 without IPv6', () => {
    const six = createAddressPolicy({ allow: ['::/0'] })
    expect([six.findRefusal('10.0.0.1'), six.findRefusal('::ffff:10.0.0.1')]).toEqual([
      'private',
      'private',
    ])
    expect(six.findRefusal('fd00::1')).toBeUndefined()
    const four = createAddressPolicy({ allow: ['0.0.0.0/0'] })
    expect([four.findRefusal('fd00::1'), four.findRefusal('::1')]).toEqual(['private', 'loopback'])
    expect(four.findRefusal('10.0.0.1')).toBeUndefined()
  })
})

test('an IPv4 address inside IPv6 has the kind of the IPv4 address', () => {
  const part = fc.nat(255)
  const parts = fc.tuple(part, part, part, part)
  fc.assert(
    fc.property(parts, ([a, b, c, d]) => {
      const four = `${a}.${b}.${c}.${d}`
      const [high, low] = [a * 256 + b, c * 256 + d].map(each => each.toString(16))
      const kind = policy.findRefusal(four)
      const forms = [`::ffff:${four}`, `::ffff:${high}:${low}`, `64:ff9b::${four}`]
      const found = [...forms, `2002:${high}:${low}::1`].map(each => policy.findRefusal(each))
      expect(found).toEqual(Array(4).fill(kind))
      expect(policy.findRefusal(`::${high}:${low}`)).toBeDefined()
    }),
  )
})

describe('a CIDR range', () => {
  test.each([
    '10.0.0.0/8',
    '192.168.1.7/32',
    '0.0.0.0/0',
    '::/0',
    'fd00::/8',
    'fd12:3456::/32',
    '::1/128',
    'FD00::1:0/112',
  ])('%s is valid', text => {
    expect(isCidrRange(text)).toBe(true)
  })

  test.each([
    '',
    '10.0.0.0',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.1/8',
    '10.0.0/8',
    '10.0.0.0 /8',
    'fd00::',
    'fd00::/129',
    'fd00::1/8',
    'fe80::%eth0/10',
    '::ffff:10.0.0.0/104',
    'localhost/8',
    'private',
  ])('%j is invalid', text => {
    expect(isCidrRange(text)).toBe(false)
  })
})
