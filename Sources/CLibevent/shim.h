/* The border to libevent_core: what Swift can't import becomes static inline here. No _GNU_SOURCE: it changes fd_set,
   which Swift's own modules know in its plain form; what only it would declare is declared by hand. */
#ifndef FXGW_CLIBEVENT_SHIM_H
#define FXGW_CLIBEVENT_SHIM_H
#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* An eventfd that never blocks and isn't inherited; -1 with errno set on failure. */
static inline int fxgw_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* Wakes whoever watches the eventfd. A full counter already means "awake": nothing is lost. */
static inline void fxgw_eventfd_wake(int fd) {
    uint64_t one = 1;
    ssize_t ignored = write(fd, &one, sizeof one);
    (void)ignored;
}

/* Takes the counter, so that the descriptor is quiet until the next wake. */
static inline void fxgw_eventfd_drain(int fd) {
    uint64_t count;
    ssize_t ignored = read(fd, &count, sizeof count);
    (void)ignored;
}

struct sockaddr;
extern int accept4(int listener, struct sockaddr *address, unsigned int *length, int flags);

/* Takes the next connection of a listener, not blocking and not inherited; -errno if there is none.
   Linux defines SOCK_NONBLOCK and SOCK_CLOEXEC as the values that eventfd's flags have. */
static inline int fxgw_accept(int listener) {
    int fd = accept4(listener, 0, 0, EFD_NONBLOCK | EFD_CLOEXEC);
    return fd >= 0 ? fd : -errno;
}

extern int pthread_setname_np(pthread_t thread, const char *name);

/* Names the calling thread for ps and top; the kernel keeps 15 bytes. */
static inline void fxgw_name_thread(const char *name) {
    char kept[16];
    size_t n = 0;
    while (n < 15 && name[n]) {
        kept[n] = name[n];
        n++;
    }
    kept[n] = 0;
    pthread_setname_np(pthread_self(), kept);
}
#endif
