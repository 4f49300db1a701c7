import type { ClaimService } from '../services/claims.js';
import type { MessageService } from '../services/messages.js';
import type { Routes } from './routes.js';
/** The message resource (SPEC.md section 4.2), with lock, unlock and undelete as extensions. */
export declare function messageRoutes(messages: MessageService, claims: ClaimService): Routes;
