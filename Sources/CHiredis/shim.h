/* The border to hiredis 0.14 and 1.x: what Swift can't import becomes static inline here. */
#ifndef FXGW_CHIREDIS_SHIM_H
#define FXGW_CHIREDIS_SHIM_H
#include <errno.h>
#include <fcntl.h>
#include <hiredis/async.h>
#include <hiredis/hiredis.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

/* ---- The reply guard ----
   hiredis's async layer trusts its server: an unasked reply, or a subscription message of another form, ends in an
   assert, and a huge array length in a huge allocation. The guard sits between its parser and its reply objects and
   refuses such a reply while it is parsed. hiredis then reports an error on the link and closes it in the usual way. */

/* Most bytes of one string, elements of one array, arrays within arrays, and bytes of one whole reply. */
enum {
    FXGW_MAX_STRING = 8 << 20,
    FXGW_MAX_ELEMENTS = 1 << 16,
    FXGW_MAX_DEPTH = 8,
    FXGW_MAX_REPLY = 16 << 20,
    FXGW_OBJECT_COST = 64
};

typedef struct fxgw_guard {
    redisAsyncContext *context;
    redisReplyObjectFunctions *standard; /* the library's own makers of reply objects */
    const char *channel;                 /* the one subscribed channel; NULL on a link for commands */
    size_t channel_length;
    size_t spent; /* of the present reply, in bytes */
    char kind;    /* of the present push: 's'ubscribe, 'm'essage, 'p'ong */
    char refused; /* set for good once a reply was refused */
} fxgw_guard;

/* Whether the object may be made; `cost` in bytes. */
static inline int fxgw_admits(fxgw_guard *guard, const redisReadTask *task, size_t cost) {
    if (task->parent == NULL) {
        int is_awaited = guard->context->replies.head != NULL;
        int is_push = guard->context->c.flags & REDIS_SUBSCRIBED;
        guard->spent = 0;
        guard->kind = 0;
        if (!is_awaited && task->type != REDIS_REPLY_ERROR && !(is_push && task->type == REDIS_REPLY_ARRAY))
            return 0;
    }
    guard->spent += cost + FXGW_OBJECT_COST;
    return task->type <= REDIS_REPLY_ERROR && guard->spent <= FXGW_MAX_REPLY;
}

/* Whether the present reply is a push: nobody awaits a reply on this subscribed link. */
static inline int fxgw_is_push(const fxgw_guard *guard) {
    return guard->context->replies.head == NULL && (guard->context->c.flags & REDIS_SUBSCRIBED);
}

/* Whether the text may stand at its place in a push: [subscribe, channel, count], [message, channel, body], [pong, ""]. */
static inline int fxgw_fits_push(fxgw_guard *guard, const redisReadTask *task, const char *text, size_t length) {
    if (task->parent == NULL) return task->type == REDIS_REPLY_ERROR;
    if (task->parent->parent != NULL || task->type != REDIS_REPLY_STRING) return 0;
    if (task->idx == 0) {
        if (length == 9 && memcmp(text, "subscribe", 9) == 0) guard->kind = 's';
        if (length == 7 && memcmp(text, "message", 7) == 0) guard->kind = 'm';
        if (length == 4 && memcmp(text, "pong", 4) == 0) guard->kind = 'p';
        return guard->kind != 0 && task->parent->elements == (guard->kind == 'p' ? 2 : 3);
    }
    if (guard->kind == 'p') return 1;
    if (task->idx == 1)
        return length == guard->channel_length && memcmp(text, guard->channel, length) == 0;
    return guard->kind == 'm';
}

static inline void *fxgw_refuse(fxgw_guard *guard) {
    guard->refused = 1;
    return NULL;
}

static inline void *fxgw_make_string(const redisReadTask *task, char *text, size_t length) {
    fxgw_guard *guard = (fxgw_guard *)task->privdata;
    if (length > FXGW_MAX_STRING || !fxgw_admits(guard, task, length)) return fxgw_refuse(guard);
    if (fxgw_is_push(guard) && !fxgw_fits_push(guard, task, text, length)) return fxgw_refuse(guard);
    return guard->standard->createString(task, text, length);
}

#if HIREDIS_MAJOR >= 1
typedef size_t fxgw_element_count;
#else
typedef int fxgw_element_count;
#endif

static inline void *fxgw_make_array(const redisReadTask *task, fxgw_element_count count) {
    fxgw_guard *guard = (fxgw_guard *)task->privdata;
    int depth = 1;
    for (const redisReadTask *outer = task->parent; outer != NULL; outer = outer->parent) depth++;
    if (count > FXGW_MAX_ELEMENTS || depth > FXGW_MAX_DEPTH) return fxgw_refuse(guard);
    if (!fxgw_admits(guard, task, (size_t)count * sizeof(void *))) return fxgw_refuse(guard);
    if (fxgw_is_push(guard) && (depth > 1 || count < 2 || count > 3)) return fxgw_refuse(guard);
    return guard->standard->createArray(task, count);
}

static inline void *fxgw_make_integer(const redisReadTask *task, long long value) {
    fxgw_guard *guard = (fxgw_guard *)task->privdata;
    if (!fxgw_admits(guard, task, 0)) return fxgw_refuse(guard);
    if (fxgw_is_push(guard) && !(guard->kind == 's' && task->idx == 2)) return fxgw_refuse(guard);
    return guard->standard->createInteger(task, value);
}

static inline void *fxgw_make_nil(const redisReadTask *task) {
    fxgw_guard *guard = (fxgw_guard *)task->privdata;
    /* RESP2's nil is a string or an array of length -1; one of the type nil is RESP3's. */
    if (task->type == REDIS_REPLY_NIL) return fxgw_refuse(guard);
    if (!fxgw_admits(guard, task, 0) || fxgw_is_push(guard)) return fxgw_refuse(guard);
    return guard->standard->createNil(task);
}

#if HIREDIS_MAJOR >= 1
/* RESP3 is never asked for, so these types are refused wherever they come from. */
static inline void *fxgw_make_double(const redisReadTask *task, double value, char *text, size_t length) {
    (void)value, (void)text, (void)length;
    return fxgw_refuse((fxgw_guard *)task->privdata);
}

static inline void *fxgw_make_bool(const redisReadTask *task, int value) {
    (void)value;
    return fxgw_refuse((fxgw_guard *)task->privdata);
}
#endif

/* Puts the guard into the context's parser; it must live as long as the context. */
static inline void fxgw_guard_attach(fxgw_guard *guard, redisAsyncContext *context) {
    static redisReplyObjectFunctions guarded = {
        .createString = fxgw_make_string,
        .createArray = fxgw_make_array,
        .createInteger = fxgw_make_integer,
        .createNil = fxgw_make_nil,
        .freeObject = freeReplyObject,
#if HIREDIS_MAJOR >= 1
        .createDouble = fxgw_make_double,
        .createBool = fxgw_make_bool,
#endif
    };
    guard->context = context;
    guard->standard = context->c.reader->fn;
    context->c.reader->fn = &guarded;
    context->c.reader->privdata = guard;
}

/* Bytes received that no reply object has taken yet: an unfinished string grows here. */
static inline size_t fxgw_unparsed(const redisAsyncContext *context) {
    return context->c.reader->len - context->c.reader->pos;
}

/* hiredis leaves its sockets open across exec. */
static inline void fxgw_close_on_exec(int fd) { fcntl(fd, F_SETFD, FD_CLOEXEC); }

/* The version of the library; 0 has no TLS. */
static inline int fxgw_hiredis_major(void) { return HIREDIS_MAJOR; }
static inline int fxgw_hiredis_minor(void) { return HIREDIS_MINOR; }

/* hiredis writes with write(2): a peer that is gone would end the process with SIGPIPE. The signal goes to the writing
   thread, so it's enough that the loop's own thread blocks it; the write then fails with EPIPE. */
static inline void fxgw_block_sigpipe(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}
#endif
