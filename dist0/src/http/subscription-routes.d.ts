import type { SubscriptionService } from '../services/subscriptions.js';
import type { Routes } from './routes.js';
/** The subscription resource (SPEC.md section 4.3). */
export declare function subscriptionRoutes(subscriptions: SubscriptionService): Routes;
