export { RelayClient, } from './client/relay-client.js';
export { errorCodes, RelayError } from './errors.js';
export { createRelay, openAdministration, } from './relay.js';
