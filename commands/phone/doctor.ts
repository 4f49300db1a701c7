import { ApiCommand } from '../../src/cli/command/api-command.js'
import { type CheckResult, formatCheckResult } from '../../src/cli/phone/doctor/check-result.js'
import { runChecks } from '../../src/cli/phone/doctor/run-checks.js'
import { driverFlags, runningFlags, useFlag } from '../../src/cli/phone/phone-flags.js'
import { applySetup } from '../../src/cli/phone/setup/setup-flags.js'
import { resolveConnection } from '../../src/cli/profile/connection.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'

export default class PhoneDoctor extends ApiCommand {
  static override summary =
    'Check relay, keys, driver, journal, hours and clock, and say what to do.'
  static override description =
    'Takes the flags of phone, and looks at what a phone with them would meet: whether the relay can be reached and ' +
    'its clock is ours, whether the keys are right, whether the driver works (SIM, network, signal, line), whether ' +
    'the journal can be written, and what limits and quiet hours come to. No message is taken and no text is sent. ' +
    'Ends with 1 when something failed.'
  static override examples = [
    '<%= config.bin %> phone doctor --driver modem --option device=/dev/ttyUSB2',
    '<%= config.bin %> phone doctor --use stick --json',
  ]
  static override flags = { ...driverFlags, ...runningFlags, ...useFlag }

  async run(): Promise<void> {
    const flags = await applySetup(await this.parse(PhoneDoctor), this.io.env)
    const { env } = this.io
    const connect = async () => await resolveConnection(flags, env, ['app'])
    const checks: CheckResult[] = []
    for await (const check of runChecks({ setup: flags, connect, env, signal: this.signal })) {
      checks.push(check)
      if (!this.json) this.printLine(check, formatCheckResult)
    }
    const ok = checks.every(({ result }) => result !== 'failed')
    this.printLine({ ok, checks }, () => undefined)
    if (!ok) this.setExitCode(exitCodes.failed)
  }
}
