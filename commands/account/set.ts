import { boolean, string } from '@oclif/core/flags'
import { accountFlags, toAccountSettings } from '../../src/cli/account/account-flags.js'
import { formatAccount, removeKeys } from '../../src/cli/account/account-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { RelayError } from '../../src/errors.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountSet extends AdminCommand {
  static override summary = 'Change the settings of an account.'
  static override examples = [
    {
      description: 'Never send a message twice.',
      command: '<%= config.bin %> account set ann@example.com --mode at-most-once',
    },
    {
      description: 'Confirm opt-outs, and answer HELP.',
      command:
        '<%= config.bin %> account set ann@example.com --stop-text "You get no more texts." ' +
        '--help-text "Ann\'s shop, +1 202 555 0143. Text STOP to end."',
    },
    {
      description: 'Make an account the owner.',
      command: '<%= config.bin %> account set ann@example.com --owner',
    },
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }
  static override flags = {
    ...accountFlags,
    email: string({
      description: 'New e-mail address to sign in with.',
      env: 'SMSRELAY_ACCOUNT_EMAIL',
      helpValue: 'EMAIL',
    }),
    'time-zone': string({
      description: "Time zone of its pages, Area/City; '' for that of each browser.",
      env: 'SMSRELAY_ACCOUNT_TIME_ZONE',
      helpValue: 'ZONE',
    }),
    'help-text': string({
      description: "Automatic reply to HELP and INFO; '' for none.",
      env: 'SMSRELAY_HELP_TEXT',
      helpValue: 'TEXT',
    }),
    'stop-text': string({
      description: "Automatic reply that confirms STOP; '' for none.",
      env: 'SMSRELAY_STOP_TEXT',
      helpValue: 'TEXT',
    }),
    alerts: string({
      description: "Address that paused subscriptions are reported to; '' for none.",
      env: 'SMSRELAY_ALERTS',
      helpValue: 'EMAIL',
    }),
    'fewer-parts': string({
      description: 'yes: letters of the GSM alphabet for typographic quotes, dashes and spaces.',
      env: 'SMSRELAY_ACCOUNT_FEWER_PARTS',
      options: ['yes', 'no'],
    }),
    'received-mail': string({
      description: "Address that received texts are sent to; '' for none.",
      env: 'SMSRELAY_RECEIVED_MAIL',
      helpValue: 'EMAIL',
    }),
    owner: boolean({
      description: 'Make it the owner, who manages the accounts.',
      env: 'SMSRELAY_OWNER',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountSet)
    const settings = {
      ...toAccountSettings(flags),
      ...(flags.email === undefined ? {} : { email: flags.email }),
      ...(flags['time-zone'] === undefined ? {} : { timeZone: flags['time-zone'] }),
      ...(flags['help-text'] === undefined ? {} : { helpText: flags['help-text'] }),
      ...(flags['stop-text'] === undefined ? {} : { stopText: flags['stop-text'] }),
      ...(flags.alerts === undefined ? {} : { alerts: flags.alerts }),
      ...(flags['fewer-parts'] === undefined ? {} : { fewerParts: flags['fewer-parts'] === 'yes' }),
      ...(flags['received-mail'] === undefined ? {} : { receivedMail: flags['received-mail'] }),
      ...(flags.owner ? { owner: true } : {}),
    }
    if (Object.keys(settings).length === 0) {
      throw new RelayError('usage', 'No setting is given.', {
        hint:
          'Add --country, --mode, --time-zone, --help-text, --stop-text, --alerts, ' +
          '--fewer-parts, --received-mail, --email or --owner.',
      })
    }
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const account = await this.withAdministration(openAdministration, flags, admin =>
      admin.changeAccount(email, settings),
    )
    this.print(removeKeys(account), formatAccount)
  }
}
