import { z } from 'zod';
/** What POST /subscription takes (SPEC.md section 4.3). */
export declare const subscriptionCreate: z.ZodObject<{
    event: z.ZodEnum<{
        "message.blocked": "message.blocked";
        "message.create": "message.create";
        "message.failed": "message.failed";
        "message.sent": "message.sent";
    }>;
    url: z.ZodString;
    method: z.ZodDefault<z.ZodString>;
    post: z.ZodDefault<z.ZodPipe<z.ZodUnknown, z.ZodTransform<boolean, unknown>>>;
}, z.core.$strip>;
/** What PATCH /subscription/<id> takes: the event as a filter, and at least one change (SPEC.md section 4.3). */
export declare const subscriptionEdit: z.ZodObject<{
    event: z.ZodString;
    url: z.ZodOptional<z.ZodString>;
    method: z.ZodOptional<z.ZodString>;
    post: z.ZodOptional<z.ZodPipe<z.ZodUnknown, z.ZodTransform<boolean, unknown>>>;
}, z.core.$strip>;
/** The fields of a subscription (SPEC.md section 2.3). */
export declare const subscriptionFields: z.ZodObject<{
    id: z.ZodString;
    event: z.ZodString;
    url: z.ZodString;
    method: z.ZodString;
    post: z.ZodBoolean;
    stat_triggered: z.ZodNumber;
}, z.core.$strip>;
/** A reply that holds one subscription (SPEC.md section 2.1). */
export declare const subscriptionReply: z.ZodObject<{
    subscription: z.ZodObject<{
        id: z.ZodString;
        event: z.ZodString;
        url: z.ZodString;
        method: z.ZodString;
        post: z.ZodBoolean;
        stat_triggered: z.ZodNumber;
    }, z.core.$strip>;
    links: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodObject<{
        method: z.ZodString;
        url: z.ZodString;
    }, z.core.$strip>>>;
}, z.core.$strip>;
/** The reply to a DELETE of a subscription. */
export declare const subscriptionIdReply: z.ZodObject<{
    subscription: z.ZodObject<{
        id: z.ZodString;
    }, z.core.$strip>;
}, z.core.$strip>;
/** The reply of GET /subscription (SPEC.md section 2.1). */
export declare const subscriptionListReply: z.ZodObject<{
    subscriptions: z.ZodArray<z.ZodObject<{
        subscription: z.ZodObject<{
            id: z.ZodString;
            event: z.ZodString;
            url: z.ZodString;
            method: z.ZodString;
            post: z.ZodBoolean;
            stat_triggered: z.ZodNumber;
        }, z.core.$strip>;
        links: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodObject<{
            method: z.ZodString;
            url: z.ZodString;
        }, z.core.$strip>>>;
    }, z.core.$strip>>;
}, z.core.$strip>;
/** The reply of GET /subscription/events (README: open details). */
export declare const eventsReply: z.ZodObject<{
    events: z.ZodArray<z.ZodString>;
}, z.core.$strip>;
export type SubscriptionCreate = z.infer<typeof subscriptionCreate>;
export type SubscriptionCreateInput = Pick<SubscriptionCreate, 'event' | 'url'> & Partial<SubscriptionCreate>;
export type SubscriptionEdit = z.infer<typeof subscriptionEdit>;
export type SubscriptionFields = z.infer<typeof subscriptionFields>;
export type SubscriptionReply = z.infer<typeof subscriptionReply>;
export type SubscriptionListReply = z.infer<typeof subscriptionListReply>;
export type EventsReply = z.infer<typeof eventsReply>;
