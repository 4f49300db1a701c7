import { string } from '@oclif/core/flags'
import { ApiCommand } from '../src/cli/command/api-command.js'
import type { Column } from '../src/cli/output/column.js'
import { outputFlags } from '../src/cli/output/output-flags.js'
import { invalidValueError } from '../src/cli/terminal/parse-values.js'
import type { StatisticsReportFields } from '../src/contract/statistics/statistics-report-schema.js'
import { reportKinds } from '../src/domain/message/message-counts.js'
import { addDays, isDay } from '../src/domain/time/local-day.js'
import { formatLocalTime, isTimeZone } from '../src/domain/time/zoned-time.js'

type Row = StatisticsReportFields['rows'][number]

const listColumns = (by: string): readonly Column<Row>[] => [
  { name: 'name', title: by, isId: true, read: each => each.name, empty: 'none' },
  { name: 'from', title: 'from (UTC)', isTime: true, isWide: true, read: each => each.from },
  { name: 'created', read: each => each.created },
  { name: 'sent', read: each => each.sent },
  { name: 'failed', read: each => each.failed },
  { name: 'blocked', read: each => each.blocked },
  { name: 'pending', isWide: true, read: each => each.pending },
  { name: 'delivered', read: each => each.delivered },
  { name: 'undelivered', isWide: true, read: each => each.undelivered },
  { name: 'expired', isWide: true, read: each => each.expired },
]

const dayHint = 'Write a day as 2030-01-31, or a month as 2030-01.'

export default class Statistics extends ApiCommand {
  static override summary = 'Count messages by day, hour, phone, source, country code or state.'
  static override examples = [
    { description: 'Count by day.', command: '<%= config.bin %> statistics' },
    {
      description: 'Save a month for a spreadsheet.',
      command:
        '<%= config.bin %> statistics --from 2030-01 --to 2030-01 ' +
        '--time-zone Europe/Berlin -o csv > january.csv',
    },
    {
      description: 'Compare the phones.',
      command: '<%= config.bin %> statistics --by phone',
    },
  ]
  static override flags = {
    ...outputFlags,
    by: string({
      description: 'Group messages by this; prefix is the country code of the number.',
      env: 'SMSRELAY_STATISTICS_BY',
      options: reportKinds,
      default: 'day',
    }),
    from: string({
      description: 'First day or month.',
      env: 'SMSRELAY_STATISTICS_FROM',
      defaultHelp: async () => '29 days before the last',
      helpValue: 'YYYY-MM-DD',
    }),
    to: string({
      description: 'Last day or month.',
      env: 'SMSRELAY_STATISTICS_TO',
      defaultHelp: async () => 'today',
      helpValue: 'YYYY-MM-DD',
    }),
    'time-zone': string({
      description: 'Time zone of the days, such as Europe/Berlin.',
      env: 'SMSRELAY_TIME_ZONE',
      helpValue: 'ZONE',
      default: 'UTC',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Statistics)
    const zone = flags['time-zone']
    if (!isTimeZone(zone)) {
      const hint = 'Write a name such as Europe/Berlin.'
      throw invalidValueError('--time-zone', zone, 'is not a time zone', hint)
    }
    const today = formatLocalTime(this.io.clock.now(), zone).slice(0, 10)
    const to = flags.to === undefined ? today : parseDay('--to', flags.to, 1)
    const from = flags.from === undefined ? addDays(to, -29) : parseDay('--from', flags.from, 0)
    const by = reportKinds.find(kind => kind === flags.by) ?? 'day'
    const printer = await this.openPrinter(flags, listColumns(by))
    const client = await this.createClient(flags, ['api'])
    const query = { by, from, to, time_zone: zone }
    const { rows, complete } = await client.status.getStatisticsReport(query, this.callOptions)
    await printer.printList(rows, 'No message was created in these days.')
    if (!complete) printer.printNote('Not all messages of these days are counted.')
  }
}

/** A day; of a month its first one, or its last one for a flag that ends the period. */
function parseDay(name: string, text: string, isEnd: 0 | 1): string {
  const isMonth = /^\d{4}-\d{2}$/.test(text)
  const day = isMonth ? `${text}-01` : text
  if (!isDay(day)) throw invalidValueError(name, text, 'is not a day', dayHint)
  if (!isMonth || isEnd === 0) return day
  const next = addDays(day, 31).slice(0, 7)
  return addDays(`${next}-01`, -1)
}
