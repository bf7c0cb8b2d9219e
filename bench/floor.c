/* The floor under every HTTP server on this machine: one epoll loop a thread that answers fixed bytes.
 *
 *     floor PORT FILE [--threads N] [--close]
 *
 * It parses nothing: each CR LF CR LF that comes in is the end of a request and is answered with the bytes of FILE, all
 * those of one read in one write. With --close it hangs up after the first answer. PORT 0 lets the system choose; the
 * port is told on the first line of the output. Ends with SIGTERM. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 65536, MOST_AT_ONCE = 64, READ_BYTES = 65536 };

/* What is known of a connection, by its descriptor: how much of CR LF CR LF the last bytes were, and what is still to be
 * written of whole answers. Only the loop that accepted it looks at it. */
static struct { uint8_t matched; bool waits; size_t owed; } connections[MOST_DESCRIPTORS];

static char *answer;
static size_t answer_length;
static bool closes;

static void die(const char *what) {
    perror(what);
    exit(1);
}

static int listener(uint16_t port) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) die("socket");
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) die("bind");
    if (listen(descriptor, 4096) < 0) die("listen");
    return descriptor;
}

static void accept_all(int loop, int listening) {
    for (;;) {
        int descriptor = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) return;
        if (descriptor >= MOST_DESCRIPTORS) {
            close(descriptor);
            continue;
        }
        int on = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        connections[descriptor].matched = 0;
        connections[descriptor].owed = 0;
        connections[descriptor].waits = false;
        struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
        if (epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event) < 0) close(descriptor);
    }
}

/* How many requests end in these bytes. */
static size_t ends(int descriptor, const char *bytes, size_t length) {
    static const char end[4] = "\r\n\r\n";
    uint8_t matched = connections[descriptor].matched;
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == end[matched]) {
            if (++matched == 4) {
                count++;
                matched = 0;
            }
        } else {
            matched = bytes[i] == '\r';
        }
    }
    connections[descriptor].matched = matched;
    return count;
}

/* Writes what is owed. `pages` holds as many copies of the answer as one read can ask for. False: the connection is over. */
static bool pay(int loop, int descriptor, const char *pages) {
    size_t owed = connections[descriptor].owed;
    size_t before = owed;
    while (owed > 0) {
        size_t begun = (answer_length - owed % answer_length) % answer_length;
        ssize_t written = write(descriptor, pages + begun, owed);
        if (written < 0) {
            if (errno == EINTR) continue;
            if (errno == EAGAIN) break;
            return false;
        }
        owed -= (size_t)written;
    }
    connections[descriptor].owed = owed;
    if (owed == 0 && before > 0 && closes) return false;
    if ((owed > 0) != connections[descriptor].waits) {
        /* Whoever doesn't read isn't read from. */
        struct epoll_event event = {.events = owed > 0 ? EPOLLOUT : EPOLLIN, .data.fd = descriptor};
        epoll_ctl(loop, EPOLL_CTL_MOD, descriptor, &event);
        connections[descriptor].waits = owed > 0;
    }
    return true;
}

static bool take(int loop, int descriptor, char *bytes, const char *pages) {
    ssize_t length = read(descriptor, bytes, READ_BYTES);
    if (length < 0) return errno == EAGAIN || errno == EINTR;
    if (length == 0) return false;
    size_t count = ends(descriptor, bytes, (size_t)length);
    if (closes && count > 1) count = 1;
    connections[descriptor].owed = count * answer_length;
    return pay(loop, descriptor, pages);
}

static void *run(void *argument) {
    int listening = (int)(intptr_t)argument;
    int loop = epoll_create1(EPOLL_CLOEXEC);
    if (loop < 0) die("epoll_create1");
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listening};
    if (epoll_ctl(loop, EPOLL_CTL_ADD, listening, &event) < 0) die("epoll_ctl");
    /* A request has at least 18 bytes: `GET / HTTP/1.0` and its end. */
    size_t copies = READ_BYTES / 18 + 1;
    char *pages = malloc(copies * answer_length);
    char *bytes = malloc(READ_BYTES);
    if (!pages || !bytes) die("malloc");
    for (size_t i = 0; i < copies; i++) memcpy(pages + i * answer_length, answer, answer_length);
    for (;;) {
        struct epoll_event ready[MOST_AT_ONCE];
        int count = epoll_wait(loop, ready, MOST_AT_ONCE, -1);
        for (int i = 0; i < count; i++) {
            int descriptor = ready[i].data.fd;
            if (descriptor == listening) {
                accept_all(loop, listening);
                continue;
            }
            bool goes_on = ready[i].events & EPOLLOUT ? pay(loop, descriptor, pages)
                                                      : take(loop, descriptor, bytes, pages);
            if (!goes_on) close(descriptor);
        }
    }
    return NULL;
}

static void read_answer(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die(path);
    answer = malloc(1 << 20);
    if (!answer) die("malloc");
    answer_length = fread(answer, 1, 1 << 20, file);
    fclose(file);
    if (answer_length == 0) {
        fprintf(stderr, "floor: %s is empty\n", path);
        exit(64);
    }
}

int main(int count, char **arguments) {
    int threads = 1;
    for (int i = 3; i < count; i++) {
        if (strcmp(arguments[i], "--close") == 0) closes = true;
        if (strcmp(arguments[i], "--threads") == 0 && i + 1 < count) threads = atoi(arguments[++i]);
    }
    if (count < 3 || threads < 1 || threads > 64) {
        fprintf(stderr, "usage: floor PORT FILE [--threads N] [--close]\n");
        return 64;
    }
    read_answer(arguments[2]);
    int first = listener((uint16_t)atoi(arguments[1]));
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    if (getsockname(first, (struct sockaddr *)&address, &length) < 0) die("getsockname");
    uint16_t port = ntohs(address.sin_port);
    printf("listening on 127.0.0.1:%u\n", port);
    fflush(stdout);
    for (int i = 1; i < threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run, (void *)(intptr_t)listener(port)) != 0) die("pthread_create");
    }
    run((void *)(intptr_t)first);
}
