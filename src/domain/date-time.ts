const shape = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/

/** Milliseconds since the epoch of a UTC `YYYY-MM-DD HH:MM:SS`, or undefined when there is no such time (SPEC.md section 2.2). */
export function parseDateTime(text: string): number | undefined {
  if (!shape.test(text)) return undefined
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`)
  return Number.isNaN(ms) || formatDateTime(ms) !== text ? undefined : ms
}

/** A time in milliseconds since the epoch as UTC `YYYY-MM-DD HH:MM:SS` (SPEC.md section 2.2). */
export function formatDateTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}
