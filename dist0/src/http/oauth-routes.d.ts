import type { GuessGuard } from '../services/guess-guard.js';
import type { TokenService } from '../services/tokens.js';
import type { RemoteOf } from './remote-address.js';
import type { OpenRoutes } from './routes.js';
/** What issuing and revoking tokens stands on. */
export interface OauthParts {
    readonly tokens: TokenService;
    readonly guard: GuessGuard;
    readonly remoteOf: RemoteOf;
}
/** Issuing and revoking tokens (SPEC.md section 4.1). */
export declare function oauthRoutes(parts: OauthParts): OpenRoutes;
