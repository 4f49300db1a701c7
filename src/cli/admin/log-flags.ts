import { option } from '@oclif/core/flags'
import { type LogFormat, type LogLevel, logFormats, logLevels } from '../../domain/log-level.js'

export const logFlags = {
  'log-level': option({
    description: 'Lowest level to log.',
    env: 'SMSRELAY_LOG_LEVEL',
    options: logLevels,
    default: 'info',
  })(),
  'log-format': option({
    description: 'Form of the log; `auto` is text on a terminal, otherwise JSON.',
    env: 'SMSRELAY_LOG_FORMAT',
    options: logFormats,
    default: 'auto',
  })(),
}

export interface LogValues {
  readonly 'log-level': LogLevel
  readonly 'log-format': LogFormat
}
