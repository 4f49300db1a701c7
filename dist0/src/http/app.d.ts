import { type Express, type Request } from 'express';
import type { BlocklistService } from '../services/blocklist.js';
import type { ClaimService } from '../services/claims.js';
import type { GuessGuard } from '../services/guess-guard.js';
import type { MessageService } from '../services/messages.js';
import type { SubscriptionService } from '../services/subscriptions.js';
import type { TokenService } from '../services/tokens.js';
import { type ReportDefect } from './errors.js';
import type { RemoteOf } from './remote-address.js';
/** The parts the interface stands on. */
export interface AppParts {
    readonly messages: MessageService;
    readonly claims: ClaimService;
    readonly subscriptions: SubscriptionService;
    readonly tokens: TokenService;
    readonly blocklist: BlocklistService;
    /** Slows down whoever guesses credentials. */
    readonly guard: GuessGuard;
    /** Whom a request is from. */
    readonly remoteOf: RemoteOf;
    /** The base address of links in the reply to a request. */
    readonly baseOf: (request: Request) => string;
    readonly reportDefect: ReportDefect;
}
/** The REST interface as an Express app (SPEC.md section 4); listening is somebody else's job. */
export declare function createApp(parts: AppParts): Express;
