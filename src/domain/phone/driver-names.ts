export const driverNames = [
  ...(['modem', 'smpp', 'http', 'termux', 'gammu', 'mmcli', 'exec', 'simulate'] as const),
] as const

export type DriverName = (typeof driverNames)[number]
