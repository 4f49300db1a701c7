import { expect, test } from 'vitest'
import { WatchedCertificate } from '../../../src/net/tls/tls-certificate.js'
import { renewed, selfSigned } from '../../certificate.js'
import { writeCertificate } from '../../certificate-files.js'

test('a changed pair replaces the certificate and is passed on', async () => {
  const { files, replace } = await writeCertificate()
  const certificate = await WatchedCertificate.open(files)
  const seen: string[] = []
  certificate.watch(({ cert }) => seen.push(cert))
  expect(await certificate.refresh()).toBe(false)
  await replace('cert', renewed.cert)
  await replace('key', renewed.key)
  expect(await certificate.refresh()).toBe(true)
  expect(await certificate.refresh()).toBe(false)
  expect(seen).toEqual([selfSigned.cert, renewed.cert])
  expect(certificate.current.expiresAt).toBe(Date.parse('2126-10-30T09:06:10Z'))
})

test('an invalid pair is one error, and the old certificate stays', async () => {
  const { files, replace } = await writeCertificate()
  const certificate = await WatchedCertificate.open(files)
  const { context } = certificate.current
  await replace('cert', renewed.cert)
  await expect(certificate.refresh()).rejects.toMatchObject({ code: 'configuration' })
  expect(await certificate.refresh()).toBe(false)
  expect(certificate.current.context).toBe(context)
  await expect(certificate.load(files)).rejects.toThrow(/are not a certificate and its key/)
  await replace('key', renewed.key)
  expect(await certificate.refresh()).toBe(true)
  expect(certificate.current.cert).toBe(renewed.cert)
})

test('files that are gone for a moment change nothing', async () => {
  const { files, replace } = await writeCertificate()
  const certificate = await WatchedCertificate.open(files)
  const missing = { ...files, key: `${files.key}.none` }
  await expect(certificate.load(missing)).rejects.toThrow(/Cannot read .*key\.pem\.none/)
  expect(certificate.current.cert).toBe(selfSigned.cert)
  await replace('key', selfSigned.key)
  expect(await certificate.refresh()).toBe(false)
})
