import { BaseCommand } from '../../src/cli/command/base-command.js'
import type { Column } from '../../src/cli/output/column.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import {
  describePresets,
  type PresetDescription,
} from '../../src/phone/drivers/http/presets/describe-presets.js'

const columns: readonly Column<PresetDescription>[] = [
  { name: 'preset', isId: true, read: each => each.preset },
  { name: 'options', read: each => each.options },
  { name: 'environment', read: each => each.environment },
  { name: 'reports', title: 'status', read: each => each.reports },
  { name: 'title', title: 'provider', read: each => each.title },
]

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
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(PhonePresets)
    const printer = await this.openPrinter(flags, columns)
    await printer.printList(describePresets(), 'There are no presets.')
  }
}
