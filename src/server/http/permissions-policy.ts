/**
 * What browsers let pages use unless a page says otherwise (W3C Permissions Policy): names that
 * Chromium knows, as it writes an error to the console for others.
 */
const features = [
  ...['accelerometer', 'autoplay', 'browsing-topics', 'camera', 'clipboard-read'],
  ...['clipboard-write', 'compute-pressure', 'display-capture', 'encrypted-media', 'fullscreen'],
  ...['gamepad', 'geolocation', 'gyroscope', 'hid', 'identity-credentials-get', 'idle-detection'],
  ...['keyboard-map', 'local-fonts', 'magnetometer', 'microphone', 'midi', 'otp-credentials'],
  ...['payment', 'picture-in-picture', 'publickey-credentials-create'],
  ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'storage-access', 'sync-xhr'],
  ...['usb', 'window-management', 'xr-spatial-tracking'],
] as const

export type PageFeature = (typeof features)[number]

/** Formats the field Permissions-Policy of pages that use only these features. */
export function formatPermissionsPolicy(used: readonly PageFeature[] = []): string {
  return features.map(name => `${name}=${used.includes(name) ? '(self)' : '()'}`).join(', ')
}
