// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// A slow disk for a program that is started with this library preloaded: what goes through the C library, as all that the
// engine of the store does, takes longer. Files that Go writes by itself are not touched.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

static void delay(long milliseconds) {
    struct timespec rest = {milliseconds / 1000, (milliseconds % 1000) * 1000000L};
    while (nanosleep(&rest, &rest) != 0) {
    }
}

int fsync(int file) {
    static int (*next)(int);
    if (next == NULL) next = dlsym(RTLD_NEXT, "fsync");
    delay(rand() % 20 == 0 ? 1000 : 100);
    return next(file);
}

int fdatasync(int file) {
    static int (*next)(int);
    if (next == NULL) next = dlsym(RTLD_NEXT, "fdatasync");
    delay(rand() % 20 == 0 ? 1000 : 100);
    return next(file);
}

ssize_t pwrite(int file, const void *from, size_t size, off_t at) {
    static ssize_t (*next)(int, const void *, size_t, off_t);
    if (next == NULL) next = dlsym(RTLD_NEXT, "pwrite");
    delay(2);
    return next(file, from, size, at);
}
