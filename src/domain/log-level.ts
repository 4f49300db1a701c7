/** Levels of a log's events; each includes those after it. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** Forms of a log's lines; `auto` is text on a terminal, otherwise JSON. */
export const logFormats = ['auto', 'text', 'json'] as const
export type LogFormat = (typeof logFormats)[number]
