import { ApiCommand } from '../../src/cli/command/api-command.js'
import { type CheckResult, formatCheckResult } from '../../src/cli/phone/doctor/check-result.js'
import { runChecks } from '../../src/cli/phone/doctor/run-checks.js'
import { driverFlags, runningFlags, useFlag } from '../../src/cli/phone/phone-flags.js'
import { applySetup } from '../../src/cli/phone/setup/setup-flags.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'

export default class PhoneDoctor extends ApiCommand {
  static override summary = 'Check everything that a phone needs, and show what to fix.'
  static override description =
    'Checks the relay, its clock, the keys, the journal, the drivers (SIM card, network, ' +
    'signal), the rates and the quiet hours, with the same flags as `phone`. It takes no ' +
    'message and sends no text. Exits with 1 if a check failed.'
  static override examples = [
    {
      description: 'Check a modem.',
      command: '<%= config.bin %> phone doctor --driver modem --option device=/dev/ttyUSB2',
    },
    {
      description: 'Check a saved setup, with the results as JSON.',
      command: '<%= config.bin %> phone doctor --use stick --json',
    },
  ]
  static override flags = { ...driverFlags, ...runningFlags, ...useFlag }

  async run(): Promise<void> {
    const setup = await applySetup(await this.parse(PhoneDoctor), this.io.env)
    const { env, clock } = this.io
    const connect = async () => await this.resolveKeys(setup, ['app'])
    const checks: CheckResult[] = []
    for await (const check of runChecks({ setup, connect, env, clock, signal: this.signal })) {
      checks.push(check)
      if (!this.json) this.printLine(check, formatCheckResult)
    }
    const ok = checks.every(({ result }) => result !== 'failed')
    this.printLine({ ok, checks }, () => undefined)
    if (!ok) this.setExitCode(exitCodes.failed)
  }
}
