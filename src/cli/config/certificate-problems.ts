import { isRelayError } from '../../errors.js'
import { readCertificate } from '../../net/tls/tls-certificate.js'
import type { SettingProblem } from './config-file.js'
import type { Settings } from './read-settings.js'
import { toProblem } from './setting-problems.js'

export async function findCertificateProblems({
  values,
  origins,
}: Settings<object>): Promise<SettingProblem[]> {
  const given: Readonly<Record<string, unknown>> = { ...values }
  const problems: SettingProblem[] = []
  for (const name of ['tls', 'smtp']) {
    const [cert, key] = [given[`${name}-cert`], given[`${name}-key`]]
    if (typeof cert !== 'string' || typeof key !== 'string') continue
    try {
      await readCertificate({ cert, key })
    } catch (error) {
      if (!isRelayError(error)) throw error
      problems.push(toProblem(error, `${name}-cert`, origins.get(`${name}-cert`)))
    }
  }
  return problems
}
