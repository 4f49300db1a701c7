import { expect, test } from 'vitest'
import { serverOperations } from '../../../src/contract/api/server-operations.js'
import { createReferenceRoutes } from '../../../src/server/dashboard/reference/reference-routes.js'
import { createHealthRoutes } from '../../../src/server/monitoring/health-routes.js'
import { RelayMonitoring } from '../../../src/server/monitoring/relay-monitoring.js'
import { createSecretUrlEntryRoutes } from '../../../src/server/secret-url/secret-url-entry.js'

test('the reference has the routes outside of /api/1 that the server mounts', () => {
  // To list the routes, no handler runs, so none needs its services.
  const unused = {} as never
  const config = { host: '127.0.0.1', port: undefined, token: 'a-token-of-metrics' }
  const monitoring = new RelayMonitoring({ ...(unused as object), config } as never)
  const routes = {
    ...createSecretUrlEntryRoutes(unused),
    ...createHealthRoutes(unused),
    ...monitoring.createRoutes(),
    ...createReferenceRoutes(unused),
  }
  const mounted = Object.entries(routes).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method} ${path}`),
  )
  const listed = Object.values(serverOperations).map(({ method, path }) => `${method} ${path}`)
  expect(listed.sort()).toEqual(mounted.sort())
})
