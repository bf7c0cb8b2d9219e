/* Counts the allocations of each thread of the process it is preloaded into; scripts/check-counts builds it.

   FXCOUNT_FILE names the file in which FXBench reads the counts while the process runs: one record for each thread that
   has allocated. FXCOUNT_COST adds a cost to each answer that goes out, so that a guard can be seen to fail: `allocation`,
   `syscall`, `write` (it goes out in two pieces) or `instructions` (a thousand or so). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RECORDS = 1024 };

struct record {
    uint64_t thread;
    uint64_t allocations;
    uint64_t bytes;
};

/* glibc's own names for what is defined anew below; looking them up by dlsym would allocate. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static struct record *records;
static uint64_t used;
static __thread struct record *own __attribute__((tls_model("initial-exec")));
static ssize_t (*next_send)(int, const void *, size_t, int);
static enum { NONE, ALLOCATION, SYSCALL, WRITE, INSTRUCTIONS } cost;

static void count(size_t bytes) {
    if (!own) {
        if (!records) return;
        uint64_t index = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
        if (index >= RECORDS) return;
        own = &records[index];
        own->thread = (uint64_t)syscall(SYS_gettid);
    }
    own->allocations += 1;
    own->bytes += bytes;
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count(size);
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) || alignment & (alignment - 1) || !alignment) return EINVAL;
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

/* The one call with which the gateway's loops answer. */
ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
    ssize_t first = 0;
    switch (cost) {
    case NONE: break;
    case ALLOCATION: {
        void *volatile memory = malloc(32);
        free(memory);
        break;
    }
    case SYSCALL: syscall(SYS_getppid); break;
    case WRITE:
        first = next_send(descriptor, bytes, size > 1 ? 1 : size, flags);
        if (first < 0 || (size_t)first == size) return first;
        break;
    case INSTRUCTIONS:
        for (volatile int turn = 0; turn < 250; turn++) {}
        break;
    }
    ssize_t rest = next_send(descriptor, (const char *)bytes + first, size - (size_t)first, flags);
    return rest < 0 && first ? first : rest + first;
}

__attribute__((constructor)) static void begin(void) {
    next_send = (ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_NEXT, "send");
    const char *added = getenv("FXCOUNT_COST");
    if (added && !strcmp(added, "allocation")) cost = ALLOCATION;
    if (added && !strcmp(added, "syscall")) cost = SYSCALL;
    if (added && !strcmp(added, "write")) cost = WRITE;
    if (added && !strcmp(added, "instructions")) cost = INSTRUCTIONS;
    const char *name = getenv("FXCOUNT_FILE");
    int file = name ? open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, RECORDS * sizeof(struct record)) == 0) {
        void *memory = mmap(0, RECORDS * sizeof(struct record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) records = memory;
    }
    close(file);
}
