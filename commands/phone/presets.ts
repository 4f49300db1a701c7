import { BaseCommand } from '../../src/cli/command/base-command.js'
import { formatTable } from '../../src/cli/terminal/terminal-text.js'
import {
  describePresets,
  type PresetDescription,
} from '../../src/phone/drivers/http/presets/describe-presets.js'

export default class PhonePresets extends BaseCommand {
  static override summary = 'List the providers that the driver http knows, and what each needs.'
  static override description =
    'Options are given with --option, secrets in the environment. STATUS is how the delivery ' +
    'status follows, with the option reports. The guide docs/guide/providers.md shows the first ' +
    'text with each.'
  static override examples = [
    { description: 'List the presets.', command: '<%= config.bin %> phone presets' },
    { description: 'List them as JSON.', command: '<%= config.bin %> phone presets --json' },
  ]

  async run(): Promise<void> {
    await this.parse(PhonePresets)
    this.printList(describePresets(), formatPresets, 'There are no presets.')
  }
}

function formatPresets(presets: readonly PresetDescription[], columns: number | undefined): string {
  const rows = presets.map(each => [
    each.preset,
    each.options.join(' '),
    each.environment.join(' '),
    each.reports.join(' '),
    each.title,
  ])
  return formatTable(['PRESET', 'OPTIONS', 'ENVIRONMENT', 'STATUS', 'PROVIDER'], rows, columns)
}
