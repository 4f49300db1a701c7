const minute = 60

/** Seconds until something can be tried again, as a text: `12 s`, `5 min`, `23 h`, `1 h 30 min`. */
export function formatWait(seconds: number): string {
  if (seconds < 2 * minute) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / minute)
  const hours = Math.floor(minutes / 60)
  const parts = [hours > 0 && `${hours} h`, minutes % 60 > 0 && `${minutes % 60} min`]
  return parts.filter(part => part !== false).join(' ')
}
