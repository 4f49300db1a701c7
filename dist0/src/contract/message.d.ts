import { z } from 'zod';
/** What POST /message takes (SPEC.md section 4.2). */
export declare const messageCreate: z.ZodObject<{
    destination: z.ZodType<string, unknown, z.core.$ZodTypeInternals<string, unknown>>;
    message: z.ZodType<string, unknown, z.core.$ZodTypeInternals<string, unknown>>;
    send_on: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
/** What PATCH /message/<id> takes: at least one of the fields (SPEC.md section 4.2). */
export declare const messageEdit: z.ZodObject<{
    destination: z.ZodOptional<z.ZodType<string, unknown, z.core.$ZodTypeInternals<string, unknown>>>;
    message: z.ZodOptional<z.ZodType<string, unknown, z.core.$ZodTypeInternals<string, unknown>>>;
    send_on: z.ZodOptional<z.ZodOptional<z.ZodString>>;
}, z.core.$strip>;
/** The `filter` of GET /message (SPEC.md section 4.2). */
export declare const listFilter: z.ZodObject<{
    filter: z.ZodDefault<z.ZodEnum<{
        all: "all";
        blocked: "blocked";
        deleted: "deleted";
        error: "error";
        failed: "failed";
        locked: "locked";
        new: "new";
        normal: "normal";
        sent: "sent";
    }>>;
    start: z.ZodDefault<z.ZodNumber>;
    count: z.ZodDefault<z.ZodNumber>;
    order: z.ZodDefault<z.ZodEnum<{
        asc: "asc";
        desc: "desc";
    }>>;
}, z.core.$strip>;
/** What PUT /message/<id>/success takes (SPEC.md section 4.2). */
export declare const successReport: z.ZodObject<{
    parts: z.ZodType<number, unknown, z.core.$ZodTypeInternals<number, unknown>>;
}, z.core.$strip>;
/** What PUT /message/<id>/failure takes; `outcome` is an extension (SPEC.md section 4.2, README: leases). */
export declare const failureReport: z.ZodObject<{
    error_message: z.ZodType<string, unknown, z.core.$ZodTypeInternals<string, unknown>>;
    outcome: z.ZodDefault<z.ZodEnum<{
        failed: "failed";
        unknown: "unknown";
    }>>;
}, z.core.$strip>;
/** The fields of a message (SPEC.md section 2.2). */
export declare const messageFields: z.ZodObject<{
    id: z.ZodString;
    destination: z.ZodString;
    message: z.ZodString;
    created_on: z.ZodString;
    send_on: z.ZodString;
    status: z.ZodEnum<{
        B: "B";
        D: "D";
        E: "E";
        F: "F";
        L: "L";
        N: "N";
        S: "S";
    }>;
    status_date: z.ZodString;
    source: z.ZodEnum<{
        api: "api";
        email: "email";
        url: "url";
        website: "website";
    }>;
    failure_count: z.ZodNumber;
}, z.core.$strip>;
/** A reply that holds one message in full (SPEC.md section 2.1). */
export declare const messageReply: z.ZodObject<{
    message: z.ZodObject<{
        id: z.ZodString;
        destination: z.ZodString;
        message: z.ZodString;
        created_on: z.ZodString;
        send_on: z.ZodString;
        status: z.ZodEnum<{
            B: "B";
            D: "D";
            E: "E";
            F: "F";
            L: "L";
            N: "N";
            S: "S";
        }>;
        status_date: z.ZodString;
        source: z.ZodEnum<{
            api: "api";
            email: "email";
            url: "url";
            website: "website";
        }>;
        failure_count: z.ZodNumber;
    }, z.core.$strip>;
    links: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodObject<{
        method: z.ZodString;
        url: z.ZodString;
    }, z.core.$strip>>>;
}, z.core.$strip>;
/** A reply that holds only the id of a message (SPEC.md section 4.2). */
export declare const messageIdReply: z.ZodObject<{
    message: z.ZodObject<{
        id: z.ZodString;
    }, z.core.$strip>;
    links: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodObject<{
        method: z.ZodString;
        url: z.ZodString;
    }, z.core.$strip>>>;
}, z.core.$strip>;
/** The reply of GET /message (SPEC.md section 2.1). */
export declare const messageListReply: z.ZodObject<{
    messages: z.ZodArray<z.ZodObject<{
        message: z.ZodObject<{
            id: z.ZodString;
            destination: z.ZodString;
            message: z.ZodString;
            created_on: z.ZodString;
            send_on: z.ZodString;
            status: z.ZodEnum<{
                B: "B";
                D: "D";
                E: "E";
                F: "F";
                L: "L";
                N: "N";
                S: "S";
            }>;
            status_date: z.ZodString;
            source: z.ZodEnum<{
                api: "api";
                email: "email";
                url: "url";
                website: "website";
            }>;
            failure_count: z.ZodNumber;
        }, z.core.$strip>;
        links: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodObject<{
            method: z.ZodString;
            url: z.ZodString;
        }, z.core.$strip>>>;
    }, z.core.$strip>>;
}, z.core.$strip>;
export type MessageCreate = z.infer<typeof messageCreate>;
export type MessageEdit = z.infer<typeof messageEdit>;
export type ListFilter = z.infer<typeof listFilter>;
export type ListFilterInput = z.input<typeof listFilter>;
export type SuccessReport = z.infer<typeof successReport>;
export type FailureReport = z.input<typeof failureReport>;
export type MessageFields = z.infer<typeof messageFields>;
export type MessageReply = z.infer<typeof messageReply>;
export type MessageIdReply = z.infer<typeof messageIdReply>;
export type MessageListReply = z.infer<typeof messageListReply>;
