export { formatCliPage } from './cli-page.js'
export { readCommandLine } from './command-manifest.js'
export { formatExampleConfig } from './example-config.js'
