// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// A clock that can be set, for a program that is started with this library preloaded. A file, named by WEIR_CHAOS_CLOCK,
// holds the seconds by which the time of day is ahead; who writes there sets the clock while the program runs.
//
// C and C++ ask the functions below, which come before those of the C library. Go asks the kernel's own library, which every
// process finds in its auxiliary vector: there this library puts a copy of itself, before Go's runtime looks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Where the file is mapped. A fixed place, because the copy has no variables of its own.
#define AHEAD ((volatile long *)0x200000000000)

// The copy is not linked to anything: what it runs calls nothing.
int __vdso_clock_gettime(clockid_t clock, struct timespec *now) {
    long failed;
    __asm__ volatile("syscall" : "=a"(failed) : "a"(SYS_clock_gettime), "D"((long)clock), "S"(now) : "rcx", "r11", "memory");
    if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *AHEAD;
    return (int)failed;
}

int clock_gettime(clockid_t clock, struct timespec *now) { return __vdso_clock_gettime(clock, now); }

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    (void)zone;
    int failed = __vdso_clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *there) {
    struct timespec exact;
    __vdso_clock_gettime(CLOCK_REALTIME, &exact);
    if (there != NULL) *there = exact.tv_sec;
    return exact.tv_sec;
}

// The kernel knows nothing of this clock: who waits until a time of day gets it translated.
static struct timespec translated(const struct timespec *until) {
    struct timespec real = *until;
    real.tv_sec -= *AHEAD;
    return real;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
    static int (*next)(sem_t *, const struct timespec *);
    if (next == NULL) next = dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec real = translated(until);
    return next(semaphore, &real);
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **env) {
    (void)argc;
    (void)argv;
    int file = open(getenv("WEIR_CHAOS_CLOCK"), O_RDONLY);
    void *shared = mmap((void *)AHEAD, 4096, PROT_READ, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
    if (file < 0 || shared != (void *)AHEAD) abort();
    close(file);

    struct stat size;
    file = open(getenv("LD_PRELOAD"), O_RDONLY);
    if (file < 0 || fstat(file, &size) != 0) abort();
    void *copy = mmap(NULL, size.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    if (copy == MAP_FAILED) abort();
    close(file);

    while (*env != NULL) env++;
    for (Elf64_auxv_t *entry = (Elf64_auxv_t *)(env + 1); entry->a_type != AT_NULL; entry++) {
        if (entry->a_type == AT_SYSINFO_EHDR) entry->a_un.a_val = (unsigned long)copy;
    }
}
