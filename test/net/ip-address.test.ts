import { expect, test } from 'vitest'
import { getAddressBlock, isLoopbackHost, parseForwardedAddress } from '../../src/net/ip-address.js'

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['relay.localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['[::1]', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::1%lo', true],
  ['::ffff:127.0.0.1', true],
  ['[::ffff:7f00:1]', true],
  ['localhost.example.com', false],
  ['127.0.0.1.example.com', false],
  ['127.example.com', false],
  ['notlocalhost', false],
  ['126.255.255.255', false],
  ['128.0.0.1', false],
  ['192.168.1.2', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::2', false],
  ['64:ff9b::127.0.0.1', false],
  ['', false],
])('the host %j is loopback: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['', ''],
])('the address %j belongs to the block %j', (address, block) => {
  expect(getAddressBlock(address)).toBe(block)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1:443 ', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['', undefined],
])('the entry %j of X-Forwarded-For names the address %s', (entry, address) => {
  expect(parseForwardedAddress(entry)).toBe(address)
})
