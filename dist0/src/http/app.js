import express, {} from 'express';
import { RelayError } from '../errors.js';
import { authenticate } from './auth.js';
import { errorResponder } from './errors.js';
import { messageRoutes } from './message-routes.js';
import { oauthRoutes } from './oauth-routes.js';
import { addRoutes } from './routes.js';
import { subscriptionRoutes } from './subscription-routes.js';
import { blocklistRoutes, userRoutes } from './user-routes.js';
/** The REST interface as an Express app (SPEC.md section 4); listening is somebody else's job. */
export function createApp(parts) {
    const app = express();
    app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
    addRoutes(app, oauthRoutes(parts));
    addRoutes(app, withToken(messageRoutes(parts.messages, parts.claims), parts));
    addRoutes(app, withToken(subscriptionRoutes(parts.subscriptions), parts));
    addRoutes(app, withToken({ ...userRoutes(), ...blocklistRoutes(parts.blocklist) }, parts));
    app.use((request) => {
        throw new RelayError('not_found', `There is nothing at ${request.path}; the interface is under /api/1.`);
    });
    app.use(errorResponder(parts.reportDefect));
    return app;
}
function withToken(routes, parts) {
    const paths = Object.entries(routes).map(([path, methods]) => {
        const guarded = Object.entries(methods).map(([name, handler]) => [name, guard(handler, parts)]);
        return [`/api/1${path}`, Object.fromEntries(guarded)];
    });
    return Object.fromEntries(paths);
}
function guard(handler, parts) {
    return async (request, response) => {
        const caller = await authenticate(parts.tokens, request);
        return await handler({ request, response, caller, base: parts.baseOf(request) });
    };
}
