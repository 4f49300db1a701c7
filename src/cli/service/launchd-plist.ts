import { ownFileMark, type ServiceJob } from './service-job.js'

const documentType =
  '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" ' +
  '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">'

/** A value of a property list. */
type Value = string | number | boolean | readonly string[] | { readonly [key: string]: Value }

/**
 * Formats the property list of a launchd job (launchd.plist(5)). launchd starts the program again
 * unless it exits with 0.
 *
 * @param log file for the output of the program
 */
export function formatPlist(job: ServiceJob, log: string): string {
  const { name, command, environment, runAs, stopTime } = job
  const settings: { readonly [key: string]: Value } = {
    Label: name,
    ProgramArguments: command,
    ...(Object.keys(environment).length === 0 ? {} : { EnvironmentVariables: environment }),
    ...(runAs === undefined ? {} : { UserName: runAs }),
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ExitTimeOut: stopTime,
    Umask: 0o077,
    StandardOutPath: log,
    StandardErrorPath: log,
  }
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!-- ${ownFileMark} -->`,
    documentType,
    '<plist version="1.0">',
    ...formatValue(settings),
    '</plist>',
    '',
  ]
  return lines.join('\n')
}

function formatValue(value: Value): string[] {
  if (typeof value === 'boolean') return [value ? '<true/>' : '<false/>']
  if (typeof value === 'number') return [`<integer>${value}</integer>`]
  if (typeof value === 'string') return [`<string>${escapeXml(value)}</string>`]
  if (isList(value)) return ['<array>', ...indent(value.flatMap(formatValue)), '</array>']
  const entries = Object.entries(value).flatMap(([key, each]) => [
    `<key>${escapeXml(key)}</key>`,
    ...formatValue(each),
  ])
  return ['<dict>', ...indent(entries), '</dict>']
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value)
}

function indent(lines: readonly string[]): string[] {
  return lines.map(line => `  ${line}`)
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
