import { RelayError } from '../../errors.js'
import { launchd } from './launchd.js'
import type { ServiceManager } from './service-manager.js'
import { systemd } from './systemd.js'

/** The service manager of a platform. Throws `configuration` for Windows. */
export function findManager(platform = process.platform): ServiceManager {
  if (platform === 'darwin') return launchd
  if (platform !== 'win32') return systemd
  throw new RelayError('configuration', 'Windows has neither systemd nor launchd.', {
    hint: 'Start the program from the Task Scheduler.',
  })
}
